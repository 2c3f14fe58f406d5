import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page, Worker } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../packages/runtime/src/log/sqlite/open.ts";
import { AnswerTickets } from "../../../packages/runtime/src/push/answer-tickets.ts";
import { Subscriptions } from "../../../packages/runtime/src/push/subscriptions.ts";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

const BUILT = join(import.meta.dirname, "../../../dist/page");

let bench: Workbench;
let pageDir: string;

/** A page with its service worker in control, and the worker itself. */
async function openInstalled(path = "/"): Promise<{ page: Page; worker: Worker }> {
  const page = await bench.page(path, { worker: true });
  await page.context().grantPermissions(["notifications"]);
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (!serviceWorker.controller)
      await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  });
  const worker = page.context().serviceWorkers()[0];
  if (!worker) throw new Error("The page has no service worker.");
  return { page, worker };
}

/** Delivers a push message to the worker, as the browser does after it has decrypted one. */
async function deliver(page: Page, message: object): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const data = JSON.stringify(message);
  await session.send("ServiceWorker.deliverPushMessage", { origin: bench.url, registrationId: await registered, data });
  await session.detach();
}

type Shown = { title: string; body: string; actions: string[] };

/** The notifications that the browser shows. */
const listShown = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    type WithActions = Notification & { actions: { title: string }[] };
    return (all as WithActions[]).map(({ title, body, actions }) => ({
      title,
      body,
      actions: actions.map((one) => one.title),
    }));
  });

/** Clicks a button of the notification, or the notification itself. */
const click = (worker: Worker, action = ""): Promise<void> =>
  worker.evaluate(async (action) => {
    type Scope = { registration: ServiceWorkerRegistration; dispatchEvent(event: Event): void };
    type EventClass = new (type: string, init: object) => Event;
    const scope = globalThis as unknown as Scope & { NotificationEvent: EventClass };
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification, action }));
  }, action);

const message = { title: "Rates", body: "Needs you: Write hello.txt", tag: "inp_1", actions: ["allow", "deny"] };

/** The tickets that two notifications would have. They are secret and encrypted, so the test issues them while no daemon runs. */
async function issueTickets(...sessions: string[]): Promise<string[]> {
  await bench.client.push.switch(true);
  const waiting = await Promise.all(sessions.map((id) => bench.waitForState(id, "waiting")));
  await bench.kill();
  const store = openStore(join(bench.home, "gantry/gantry.db"));
  const make = { id: () => "psb_1", now: () => new Date().toISOString() };
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url");
  const keys = { p256dh, auth: Buffer.alloc(16).toString("base64url") };
  const { id } = new Subscriptions(store, make).add({ name: "Phone", endpoint: "https://push.invalid/1", keys });
  const tickets = new AnswerTickets(store);
  const issued = waiting.map(({ inputs }) => tickets.issue(inputs[0]?.id ?? "", id));
  store.close();
  await bench.start();
  return issued;
}

/** The answer to the request of a session, once the session is idle. */
async function decisionOf(id: string): Promise<string | undefined> {
  await bench.waitForState(id, "idle");
  const { events } = await bench.client.call("sessionEvents", { params: { id }, query: { limit: 1000 } });
  type Resolved = { type: string; data: { decision?: string } };
  return (events as Resolved[]).find(({ type }) => type === "input.resolved")?.data.decision;
}

describe.skipIf(!CHROMIUM.met)("the service worker", needs(CHROMIUM), () => {
  beforeAll(async () => {
    preparePage();
    pageDir = mkdtempSync(join(tmpdir(), "gantry-shell-"));
    cpSync(realpathSync(process.env.GANTRY_PAGE_DIR ?? BUILT), pageDir, { recursive: true });
    bench = await Workbench.open({ GANTRY_PAGE_DIR: pageDir });
  }, 240_000);
  afterAll(async () => {
    await bench?.close();
    rmSync(pageDir, { recursive: true, force: true });
  });

  it("makes the page installable: a manifest with icons, and no installability errors", async () => {
    const { page } = await openInstalled();
    const session = await page.context().newCDPSession(page);
    const { errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // Playwright's profiles are private windows, where installation is always off.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    const manifest = await page.evaluate(async () => (await fetch("/manifest.webmanifest")).json());
    for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
      const size = await page.evaluate(async (src) => {
        const bitmap = await createImageBitmap(await (await fetch(src)).blob()).catch(() => undefined);
        return bitmap ? `${bitmap.width}x${bitmap.height}` : "any";
      }, src);
      if (sizes !== "any") expect(size, src).toBe(sizes);
    }
    await page.context().close();
  });

  it("stores the shell only: no call, no credential, no query", async () => {
    const { page } = await openInstalled("/search?q=private");
    const session = await bench.session("[[text]]");
    await page.goto(`${bench.url}/s/${session.id}`);
    await page.getByRole("log", { name: "Transcript" }).getByText("[[text]]").waitFor();
    const stored = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      );
      return all.flat().map((url) => new URL(url).pathname + new URL(url).search);
    });
    expect(stored).toContain("/");
    expect(stored.filter((path) => path !== "/" && !path.startsWith("/assets/"))).toEqual([]);
    await page.context().close();
  });

  it("opens the page while the daemon is down, and reports it", async () => {
    const { page } = await openInstalled();
    await page.reload();
    await page.getByRole("region", { name: "Board" }).waitFor();
    await bench.kill();
    try {
      await page.goto(`${bench.url}/inbox`);
      await page.getByText("The daemon is not responding.").waitFor();
    } finally {
      await bench.start();
    }
    await page.getByText("The daemon is not responding.").waitFor({ state: "detached" });
    await page.context().close();
  });

  it("shows the new page at the first visit after an upgrade, and deletes the files of the old one", async () => {
    const { page } = await openInstalled();
    await page.reload();
    const before = await page.evaluate(() => caches.keys());
    await bench.kill();
    const replace = (file: string, from: RegExp, to: string) => {
      const path = join(pageDir, file);
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    };
    replace("index.html", /<title>.*<\/title>/, '<title>Gantry</title><meta name="version" content="next" />');
    const [old = ""] = before;
    replace("service-worker.js", new RegExp(old.replace("gantry-shell-", "")), "next");
    await bench.start();
    await page.reload();
    expect(await page.locator('meta[name="version"]').getAttribute("content")).toBe("next");
    await eventually(
      "the deletion of the old cache",
      async () => !(await page.evaluate(() => caches.keys())).includes(old),
    );
    await page.reload();
    await eventually("the new cache", async () =>
      (await page.evaluate(() => caches.keys())).includes("gantry-shell-next"),
    );
    await page.context().close();
  });

  it("answers with Allow and Deny of a push message, without a credential, once", async () => {
    const [first, second] = await Promise.all([bench.session("[[write]]"), bench.session("[[write]]")]);
    const [allowed, denied] = await issueTickets(first.id, second.id);
    const { page, worker } = await openInstalled("/agents");
    await page.evaluate(() => localStorage.removeItem("gantry.credential"));
    const answer = async (session: string, ticket: string | undefined, action: string) => {
      await deliver(page, { ...message, path: `/s/${session}`, ticket });
      await eventually("the notification", async () => (await listShown(page)).length === 1);
      expect(await listShown(page)).toEqual([
        { title: "Rates", body: "Needs you: Write hello.txt", actions: ["Allow", "Deny"] },
      ]);
      await click(worker, action);
    };
    await answer(first.id, allowed, "allow");
    expect(await decisionOf(first.id)).toBe("allow");
    await answer(second.id, denied, "deny");
    expect(await decisionOf(second.id)).toBe("deny");
    await answer(second.id, denied, "allow");
    await eventually("the failure", async () => (await listShown(page))[0]?.title === "Not answered");
    await page.context().close();
  });

  it("shows requests of an open page with the same answers, which the page sends", async () => {
    const { page, worker } = await openInstalled("/inbox");
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    const asked = await bench.session("[[write]]", { title: "Out of sight" });
    await eventually("the notification", async () => (await listShown(page)).length === 1);
    expect(await listShown(page)).toEqual([
      { title: "Out of sight", body: "Needs you: Write hello.txt", actions: ["Allow", "Deny"] },
    ]);
    await click(worker, "deny");
    expect(await decisionOf(asked.id)).toBe("deny");
    await page.context().close();
  });

  it("opens the session when a notification is tapped", async () => {
    const { page, worker } = await openInstalled("/agents");
    const session = await bench.session("[[text]]");
    await deliver(page, { ...message, path: `/s/${session.id}`, actions: [] });
    await eventually("the notification", async () => (await listShown(page)).length === 1);
    await click(worker);
    await page.waitForURL(`**/s/${session.id}`);
    await page.context().close();
  });
});
