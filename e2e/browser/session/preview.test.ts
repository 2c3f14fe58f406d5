import { writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevServer, startDevServer } from "../../../packages/runtime/src/preview/testing/dev-server.ts";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { panel, showTab } from "../workbench/panel.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

const html =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html>${body}`);

const SHOP = `<title>Shop</title><h1>Parcels</h1><button id="send">Send a parcel</button> <a href="/rates">Rates</a>
<script>
  document.getElementById("send").onclick = () => { document.title = "clicked"; };
</script>`;
const shopRoutes = { "/": html(SHOP), "/rates": html("<title>Rates</title><p>4.50 €</p>") };

describe.skipIf(!CHROMIUM.met)("a preview next to a session", needs(CHROMIUM), () => {
  let bench: Workbench;
  let shop: DevServer;

  beforeAll(async () => {
    preparePage();
    [bench, shop] = await Promise.all([Workbench.open(), startDevServer(0, shopRoutes)]);
  }, 240_000);
  afterAll(async () => {
    await bench?.close();
    await shop?.stop();
  });

  const button = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true });
  const address = (page: Page) => panel(page).getByRole("textbox", { name: "Address" });
  const chips = (page: Page) => page.getByRole("list", { name: "Attachments" });

  /** A page with a new session and the preview of the shop, and the frame of the shop. */
  async function openPreview(): Promise<{ page: Page; frame: Frame; session: string }> {
    const { id } = await bench.session("[[text]] hello");
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await showTab(page, "Preview");
    await panel(page).getByRole("textbox", { name: "Dev server" }).fill(String(shop.port));
    await button(page, "Show").click();
    return { page, frame: await shownAt(page, "/"), session: id };
  }

  async function shownAt(page: Page, path: string): Promise<Frame> {
    await expect.poll(() => address(page).inputValue(), { timeout: 45_000 }).toBe(path);
    return eventually(`a frame at ${path}`, () => {
      const frame = page.frames().find((one) => URL.parse(one.url())?.hostname === "localhost");
      return frame && new URL(frame.url()).pathname === path ? frame : undefined;
    });
  }

  it("follows the navigation of the site and controls it", async () => {
    const { page, frame } = await openPreview();
    await frame.getByRole("link", { name: "Rates" }).click();
    await shownAt(page, "/rates");
    await button(page, "Back").click();
    await shownAt(page, "/");
    await button(page, "Forward").click();
    await shownAt(page, "/rates");
    await address(page).fill("/?from=bar");
    await address(page).press("Enter");
    await expect.poll(() => address(page).inputValue(), { timeout: 45_000 }).toBe("/?from=bar");
    const before = shop.seen.length;
    await button(page, "Reload").click();
    await expect.poll(() => shop.seen.length, { timeout: 45_000 }).toBeGreaterThan(before);
    await button(page, "Phone width").click();
    await expect.poll(async () => (await panel(page).locator("iframe").boundingBox())?.width).toBe(390);
  });

  it("adds a picked element as context to the next message", async () => {
    const { page, frame, session } = await openPreview();
    await button(page, "Inspect").click();
    await frame.locator("gantry-outline").waitFor({ state: "attached" });
    const box = await frame.locator("#send").boundingBox();
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await chips(page).getByText("<button> Send a parcel").waitFor();
    expect(await button(page, "Inspect").getAttribute("aria-pressed")).toBe("false");
    expect(await frame.title()).toBe("Shop");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[text]] make it green");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const text = await eventually("the message is in the log", async () => {
      const { events } = await bench.client.sessions.events(session, { limit: 1000 });
      const message = events.findLast(({ type }) => type === "message.user");
      const all = JSON.stringify(message?.data);
      return all.includes("make it green") ? all : undefined;
    });
    expect(text).toContain("Selector: #send");
    expect(text).toContain(`http://localhost:${shop.port}/`);
  });

  it("stops inspecting with Escape, regardless of the focus", async () => {
    const { page, frame } = await openPreview();
    await button(page, "Inspect").click();
    await frame.locator("gantry-outline").waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await frame.locator("gantry-outline").waitFor({ state: "detached" });
    expect(await button(page, "Inspect").getAttribute("aria-pressed")).toBe("false");
  });

  it("attaches a screenshot and errors", async () => {
    const { page, frame } = await openPreview();
    await button(page, "Screenshot").click();
    await chips(page).getByText("preview.png").waitFor();
    await frame.evaluate(() => console.error("no rates for tea"));
    await button(page, "1 error").click();
    await chips(page).getByText("1 preview error").waitFor();
  });

  it("sends errors to the agent with one click", async () => {
    const { page, frame, session } = await openPreview();
    await frame.evaluate(() => console.error("no rates for coffee"));
    await button(page, "Ask the agent to fix").click();
    await eventually("the errors are in a message", async () => {
      const { events } = await bench.client.sessions.events(session, { limit: 1000 });
      return events.some(({ type, data }) => type === "message.user" && JSON.stringify(data).includes("for coffee"));
    });
    await eventually("the errors are gone", async () => (await button(page, "Ask the agent to fix").count()) === 0);
  });

  it("finds the servers of terminals and tasks, shows several in tabs, and their logs next to them", async () => {
    const serve = join(bench.home, "serve.cjs");
    writeFileSync(
      serve,
      `const server = require("node:http").createServer((request, response) => {
        console.log("asked for " + request.url);
        response.setHeader("content-type", "text/html").end("<title>" + process.argv[2] + "</title><p>" + process.argv[2]);
      });
      server.listen(0, process.argv[3], () => console.log("ready at http://" + process.argv[4] + ":" + server.address().port + "/"));`,
    );
    const script = join(bench.home, "serve.sh");
    writeFileSync(script, `exec "${process.execPath}" "${serve}" tea 0.0.0.0 0.0.0.0`);
    const { id } = await bench.session(`[[backgroundscript:${script}]] serve`, { mode: "full-auto" });
    await bench.waitForState(id, "idle");
    const command = [process.execPath, serve, "coffee", "127.0.0.1", "shop.localhost"];
    await bench.client.terminals.open({ session: id, command });
    await eventually("both servers are found, with the printed name", async () => {
      const found = await bench.client.previews.servers(id);
      const names = found.map(({ url }) => new URL(url).hostname).sort();
      return names.join() === "localhost,shop.localhost" && found.every((one) => one.task ?? one.terminal);
    });

    const page = await bench.page(`/s/${id}`);
    await showTab(page, "Preview");
    const list = panel(page).getByRole("list", { name: "Running servers" });
    await list.getByRole("button", { name: /^localhost/ }).click();
    const frames = panel(page).locator("iframe");
    await frames.first().contentFrame().getByText("tea").waitFor();
    await button(page, "Server log").click();
    const log = panel(page).getByRole("region", { name: "Server log" });
    await log.getByText("asked for /").first().waitFor();
    await button(page, "New preview").click();
    await list.getByRole("button", { name: /^shop\.localhost/ }).click();
    await frames.nth(1).contentFrame().getByText("coffee").waitFor();
    await log.getByText("asked for /").first().waitFor();
    const tabs = panel(page).getByRole("tablist", { name: "Previews" }).getByRole("tab");
    expect(await tabs.count()).toBe(2);
    await tabs.nth(1).focus();
    await page.keyboard.press("ArrowLeft");
    await eventually("the first is shown", async () => (await tabs.first().getAttribute("aria-selected")) === "true");
    await showTab(page, "Tasks");
    await showTab(page, "Preview");
    expect(await frames.count()).toBe(2);
    await page.reload();
    await frames.first().contentFrame().getByText("tea").waitFor();
    await button(page, "End preview").click();
    await eventually("one tab is left", async () => (await tabs.count()) === 1);
  });

  it("isolates the site from the page and from the daemon", async () => {
    const { page, frame } = await openPreview();
    const tried = await frame.evaluate(async (daemon) => {
      const read = (what: () => unknown) => {
        try {
          return String(what());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        page: read(() => window.parent.document.title),
        away: read(() => {
          window.parent.location.href = "https://example.org/";
        }),
        call: await fetch(`${daemon}/v1/sessions`, { credentials: "include" }).then(String, (error) => error.name),
      };
    }, bench.url);
    expect(tried).toEqual({ page: "SecurityError", away: "SecurityError", call: "TypeError" });
    expect(page.url()).toContain(bench.url);
    expect(shop.seen.filter(({ headers }) => headers.cookie?.includes("gantry_session"))).toEqual([]);
  });

  it("reopens after a daemon restart", async () => {
    const { page, frame } = await openPreview();
    const before = new URL(frame.url()).port;
    await bench.kill();
    await bench.start();
    await eventually("a frame with another port", () => {
      const now = page.frames().find((one) => URL.parse(one.url())?.hostname === "localhost");
      return now && new URL(now.url()).port !== before ? now : undefined;
    });
    await shownAt(page, "/");
    await expect.poll(() => button(page, "Inspect").isEnabled(), { timeout: 45_000 }).toBe(true);
  });
});
