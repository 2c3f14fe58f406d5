import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});
afterEach(async () => {
  const { sessions } = (await bench?.client.sessions.list({ archived: "all" })) ?? { sessions: [] };
  for (const { id } of sessions) await bench.client.sessions.delete(id);
});

const board = (page: Page) => page.getByRole("region", { name: "Board", exact: true });
const column = (page: Page, name: string) => board(page).getByRole("region", { name, exact: true });
const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole("link", { name: title, exact: true });
const cards = (page: Page) => board(page).getByRole("article");

/** A session whose turn has ended. */
async function createFinished(title: string): Promise<string> {
  const { id } = await bench.session("[[text]]", { title });
  await bench.waitForState(id, "idle");
  return id;
}

describe.skipIf(!CHROMIUM.met)("the board", needs(CHROMIUM), () => {
  it("moves sessions between columns as their state changes", async () => {
    await createFinished("Has ended");
    const page = await bench.page("/");
    await card(page, "Done", "Has ended").waitFor();
    const asks = await bench.session("[[write]]", { title: "Asks" });
    await card(page, "Needs you", "Asks").waitFor();
    await column(page, "Needs you").getByText("Write hello.txt").waitFor();
    await eventually("the title counts it", async () => (await page.title()) === "(1) Gantry");
    const works = await bench.session("[[slow:4000:100]]", { title: "Works" });
    await card(page, "Working", "Works").waitFor();
    await bench.client.sessions.send(works.id, { text: "and then this", delivery: "queue" });
    await column(page, "Working").getByText("1 queued").waitFor();
    const [input] = await bench.client.inbox();
    await bench.client.answer(input?.id ?? "", { decision: "allow" });
    await card(page, "Done", "Asks").waitFor();
    await bench.waitForState(asks.id, "idle");
    await bench.client.sessions.interrupt(works.id, "clear");
    await card(page, "Done", "Works").waitFor();
    expect(await column(page, "Needs you").getByRole("article").count()).toBe(0);
    await page.context().close();
  });

  it("filters by text and by unread", async () => {
    const read = await createFinished("Parcel rates");
    await createFinished("Postal codes");
    const page = await bench.page(`/s/${read}`);
    await eventually("it has been read", () => page.evaluate((id) => localStorage["gantry.seen"]?.includes(id), read));
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Board" }).click();
    await eventually("both are there", async () => (await cards(page).count()) === 2);
    await eventually("the filter is reached by its key", async () => {
      await page.keyboard.press("f");
      return page.evaluate(() => document.activeElement?.tagName === "INPUT");
    });
    await page.keyboard.type("postal answer");
    await eventually("one is left", async () => (await cards(page).count()) === 1);
    await card(page, "Done", "Postal codes").waitFor();
    await page.keyboard.press("Escape");
    await eventually("both are back", async () => (await cards(page).count()) === 2);
    await page.getByRole("button", { name: "Unread", exact: true }).click();
    await eventually("the read one is gone", async () => (await cards(page).count()) === 1);
    await card(page, "Done", "Postal codes").waitFor();
    await page.context().close();
  });

  it("archives by keyboard, undoes it, and shows the archive", async () => {
    const id = await createFinished("Old work");
    await createFinished("Other work");
    const page = await bench.page("/");
    await card(page, "Done", "Old work").focus();
    await page.keyboard.press("a");
    await card(page, "Done", "Old work").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await card(page, "Done", "Old work").waitFor();
    expect(await bench.client.sessions.get(id)).toMatchObject({ archived: false });
    await card(page, "Done", "Old work").focus();
    await page.keyboard.press("a");
    await card(page, "Done", "Old work").waitFor({ state: "detached" });
    const sidebar = page.getByRole("navigation", { name: "Sessions" });
    expect(await sidebar.getByRole("link").count()).toBe(1);
    await page.reload();
    await card(page, "Done", "Other work").waitFor();
    expect(await card(page, "Done", "Old work").count()).toBe(0);
    await page.getByRole("button", { name: "Archived", exact: true }).click();
    await card(page, "Done", "Old work").waitFor();
    expect(await cards(page).count()).toBe(1);
    await page.context().close();
  });

  it("moves between cards and opens one by keyboard", async () => {
    await bench.session("[[write]]", { title: "Left" });
    const id = await createFinished("Right");
    const page = await bench.page("/");
    await card(page, "Needs you", "Left").waitFor();
    await card(page, "Done", "Right").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/s/${id}`);
    await eventually("its title is the page's", async () => (await page.title()) === "(1) Right · Gantry");
    await page.context().close();
  });

  it("searches all sessions and opens a match at its event", async () => {
    const id = await createFinished("Found");
    const page = await bench.page("/");
    await card(page, "Done", "Found").waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search", exact: true }).waitFor();
    await page.keyboard.type("scripted answer");
    await page.locator("mark").first().waitFor();
    expect(page.url()).toContain("q=scripted");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/s/${id}#\\d+$`));
    await page.goto(`${bench.url}/search?q=nowhere-to-be-found`);
    await page.getByText("No matches for “nowhere-to-be-found”").waitFor();
    await page.context().close();
  });

  it("opens a session and changes its mode from the command palette", async () => {
    const id = await createFinished("Zebra crossing");
    const page = await bench.page("/agents");
    await page.getByRole("navigation", { name: "Sessions" }).getByRole("link").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill("zebcr");
    await page.getByRole("option", { name: /Zebra crossing/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/s/${id}`);
    await page.keyboard.press("Control+k");
    const groups = page.getByRole("listbox", { name: "Commands" }).getByRole("group");
    expect(await groups.first().getAttribute("aria-label")).toMatch(/^(Sessions|Projects|Go to)$/);
    const actions = groups.and(page.getByLabel("This session"));
    for (const name of [/Hand off/, /Export/, /Archive/]) await actions.getByRole("option", { name }).waitFor();
    expect(await listViolations(page, "dialog")).toEqual([]);
    await takePictures(page, "palette");
    await page.keyboard.press("Enter");
    await eventually("nothing was changed", async () => !(await bench.client.sessions.get(id)).archived);
    await page.goto(`${bench.url}/s/${id}`);
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill("mode auto-edit");
    await page.getByRole("option", { name: /Change mode to auto-edit/ }).click();
    await eventually("the mode is changed", async () => (await bench.client.sessions.get(id)).mode === "auto-edit");
    await page.context().close();
  });

  it("renders a long column in steps and all sessions in the sidebar", async () => {
    const titles = Array.from({ length: 130 }, (_, index) => `Number ${index}`);
    for (const title of titles) await bench.client.sessions.create({ agent: "scripted", cwd: bench.folder, title });
    const page = await bench.page("/");
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
    await eventually("all are in the sidebar", async () => (await links.count()) === titles.length);
    // The column renders what is near the viewport, and more on scrolling.
    const rendered = await cards(page).count();
    expect(rendered).toBeLessThan(titles.length);
    await cards(page).last().scrollIntoViewIfNeeded();
    await eventually("more are rendered", async () => (await cards(page).count()) > rendered);
    await page.context().close();
  });
});
