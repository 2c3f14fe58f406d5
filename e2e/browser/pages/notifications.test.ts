import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

type Shown = { title: string; body: string };
type Recorder = { shown: Shown[]; click: (index: number) => void };

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

/** Replaces browser notifications, which a headless browser does not show, with a recorder. */
function fakeNotifications(): void {
  const made: { title: string; body: string; onclick?: () => void }[] = [];
  class FakeNotification {
    static permission = "default";
    static requestPermission = async () => (FakeNotification.permission = "granted");
    onclick?: () => void;
    constructor(title: string, { body }: { body: string }) {
      const entry = { title, body, onclick: () => this.onclick?.() };
      made.push(entry);
    }
    close() {}
  }
  Object.assign(globalThis, {
    Notification: FakeNotification,
    notifications: {
      get shown() {
        return made.map(({ title, body }) => ({ title, body }));
      },
      click: (index: number) => made[index]?.onclick?.(),
    },
  });
}

const listShown = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { notifications: Recorder }).notifications.shown);

async function quietPage(path: string): Promise<Page> {
  const page = await bench.page("/agents");
  await page.context().addInitScript(fakeNotifications);
  await page.goto(`${bench.url}${path}`);
  return page;
}

describe.skipIf(!CHROMIUM.met)("notifications", needs(CHROMIUM), () => {
  it("appear only after they are turned on, and open the session on click", async () => {
    const page = await quietPage("/inbox");
    const before = await bench.session("[[text]]", { title: "Before" });
    await bench.waitForState(before.id, "idle");
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    const asked = await bench.session("[[write]]", { title: "Out of sight" });
    await eventually("a notification", async () => (await listShown(page)).length === 1);
    expect(await listShown(page)).toEqual([{ title: "Out of sight", body: "Needs you: Write hello.txt" }]);
    await page.evaluate(() => (globalThis as unknown as { notifications: Recorder }).notifications.click(0));
    await page.waitForURL(`**/s/${asked.id}`);
    await page.context().close();
  });

  it("report an ended turn once, from one of all tabs", async () => {
    const page = await quietPage("/inbox");
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    const other = await page.context().newPage();
    await other.goto(`${bench.url}/agents`);
    await other.getByRole("navigation", { name: "Sessions" }).getByRole("link").first().waitFor();
    const done = await bench.session("[[text]]", { title: "Done unseen" });
    await bench.waitForState(done.id, "idle");
    const all = async () => [...(await listShown(page)), ...(await listShown(other))];
    await eventually("a notification", async () => (await all()).length > 0);
    const failed = await bench.session("[[error:unknown]]", { title: "Failed unseen" });
    await bench.waitForState(failed.id, "idle");
    await eventually("another one", async () => (await all()).some(({ title }) => title === "Failed unseen"));
    const notices = await all();
    expect(notices.map(({ title }) => title)).toEqual(["Done unseen", "Failed unseen"]);
    expect(notices[1]?.body).toContain("Failed: ");
    await page.context().close();
  });
});
