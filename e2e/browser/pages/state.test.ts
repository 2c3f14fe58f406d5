import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});
afterEach(async () => {
  const { sessions } = (await bench?.client.sessions.list({ archived: "all" })) ?? { sessions: [] };
  for (const { id } of sessions) await bench.client.sessions.delete(id);
});

const column = (page: Page, name: string) =>
  page.getByRole("region", { name: "Board", exact: true }).getByRole("region", { name, exact: true });
const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole("article").filter({ hasText: title });

async function createIn(state: "idle" | "waiting" | "limited", prompt: string, title: string): Promise<string> {
  const { id } = await bench.session(prompt, { title });
  await bench.waitForState(id, state);
  return id;
}

async function resolution(id: string): Promise<string | undefined> {
  const { events } = await bench.client.sessions.events(id, { limit: 1000 });
  return events.flatMap((event) => (event.type === "input.resolved" ? [event.data.decision] : []))[0];
}

describe.skipIf(!CHROMIUM.met)("the state of a session", needs(CHROMIUM), () => {
  it("is answered on the card of the board, by pointer and by key", async () => {
    const first = await createIn("waiting", "[[write]]", "By pointer");
    const second = await createIn("waiting", "[[write]]", "By key");
    const page = await bench.page("/");
    await card(page, "Needs you", "By pointer").getByRole("button", { name: "Deny", exact: true }).click();
    await bench.waitForState(first, "idle");
    expect(await resolution(first)).toBe("deny");
    await column(page, "Needs you").getByRole("link", { name: "By key", exact: true }).focus();
    await page.keyboard.press("y");
    await bench.waitForState(second, "idle");
    expect(await resolution(second)).toBe("allow");
    await page.context().close();
  });

  it("is answered in the session if the card does not show all that is asked", async () => {
    const id = await createIn("waiting", "[[plan]]", "Has a plan");
    const page = await bench.page("/");
    const plan = card(page, "Needs you", "Has a plan");
    await plan.getByRole("link", { name: "Answer in the session" }).click();
    await page.waitForURL(`**/s/${id}`);
    await bench.client.sessions.interrupt(id);
    await bench.waitForState(id, "idle");
    await page.context().close();
  });

  it("is answered in the session with the keys of the inbox, once the request is in view", async () => {
    const id = await createIn("waiting", "[[write]]", "Asks here");
    const page = await bench.page(`/s/${id}`);
    const group = page.getByRole("log", { name: "Transcript" }).getByRole("group", { name: "Write hello.txt" });
    await group.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await takePictures(page, "approval");
    await eventually("the key denies", async () => {
      await page.locator("main").focus();
      await page.keyboard.press("n");
      return (await resolution(id)) === "deny";
    });
    await page.context().close();
  });

  it("selects several sessions by key, archives them together and undoes it", async () => {
    for (const title of ["One", "Two", "Three"]) await createIn("idle", "[[text]]", title);
    const page = await bench.page("/");
    const link = (title: string) => column(page, "Done").getByRole("link", { name: title, exact: true });
    for (const title of ["One", "Two"]) {
      await link(title).focus();
      await page.keyboard.press("x");
    }
    await page.getByRole("toolbar", { name: "Selected sessions" }).getByText("2 selected").waitFor();
    await page.getByRole("toolbar", { name: "Selected sessions" }).getByRole("button", { name: "Archive" }).click();
    await link("One").waitFor({ state: "detached" });
    expect(await link("Three").count()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await Promise.all([link("One").waitFor(), link("Two").waitFor()]);
    await page.context().close();
  });

  it("has a context menu on cards and in the sidebar, by pointer and by key", async () => {
    const id = await createIn("idle", "[[text]]", "Has a menu");
    const page = await bench.page("/");
    await card(page, "Done", "Has a menu").click({ button: "right" });
    await page.getByRole("menu", { name: "Has a menu" }).getByRole("menuitem", { name: "Archive" }).click();
    await eventually("it is archived", async () => (await bench.client.sessions.get(id)).archived);
    await page.getByRole("button", { name: "Undo" }).click();
    const row = page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: "Has a menu" });
    await row.focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menu", { name: "Has a menu" }).getByRole("menuitem", { name: "Open" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/s/${id}`);
    await page.context().close();
  });

  it("in the inbox shows the oldest request first with its age, and answers several at once", async () => {
    const ids = [];
    for (const title of ["First", "Second", "Third"]) ids.push(await createIn("waiting", "[[write]]", title));
    const page = await bench.page("/inbox");
    const inbox = page.getByRole("region", { name: "Inbox", exact: true });
    await inbox.getByRole("group").nth(2).waitFor();
    expect(await inbox.locator("[data-do=open]").allInnerTexts()).toEqual(["First", "Second", "Third"]);
    expect(await inbox.getByText("asked just now").count()).toBe(3);
    await takePictures(page, "inbox");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await inbox.getByRole("button", { name: "Allow selected" }).click();
    await bench.waitForState(ids[0] ?? "", "idle");
    await bench.waitForState(ids[1] ?? "", "idle");
    expect(await Promise.all(ids.map(resolution))).toEqual(["allow", "allow", undefined]);
    await page.context().close();
  });

  it("is answered by touch, without hints of keys and without sideways scrolling", async () => {
    const id = await createIn("waiting", "[[write]]", "By touch");
    const viewport = { width: 390, height: 844 };
    const page = await bench.page("/", { viewport, touch: true });
    await card(page, "Needs you", "By touch").getByRole("button", { name: "Allow", exact: true }).waitFor();
    expect(await page.locator("kbd:visible").count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await card(page, "Needs you", "By touch").getByRole("button", { name: "Actions for By touch" }).tap();
    await page.getByRole("menuitem", { name: "Select" }).tap();
    await page.getByRole("toolbar", { name: "Selected sessions" }).waitFor();
    await card(page, "Needs you", "By touch").getByRole("button", { name: "Allow", exact: true }).tap();
    await bench.waitForState(id, "idle");
    expect(await resolution(id)).toBe("allow");
    await page.context().close();
  });

  // The last test: the limit holds every later session of the agent.
  it("has the same terms on the board and in the sidebar: failures need you, limits hold", async () => {
    await createIn("idle", "[[error:auth]]", "Fails");
    await createIn("idle", "[[text]]", "Is done");
    await createIn("limited", "[[refuse:rate_limit:Try again in 3600s.]]", "Is limited");
    const page = await bench.page("/");
    await card(page, "Needs you", "Fails").getByText("Failed:").waitFor();
    await card(page, "Held", "Is limited").getByRole("button", { name: "Try now" }).waitFor();
    await card(page, "Held", "Is limited")
      .getByText(/rate limit, retries/)
      .waitFor();
    await card(page, "Done", "Is done").waitFor();
    const sidebar = page.getByRole("navigation", { name: "Sessions" });
    expect(await sidebar.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([
      expect.stringMatching(/^Needs you\s*1$/),
      expect.stringMatching(/^Held\s*1$/),
      expect.stringMatching(/^Done\s*1$/),
    ]);
    await takePictures(page, "board");
    await page.context().close();
  });
});
