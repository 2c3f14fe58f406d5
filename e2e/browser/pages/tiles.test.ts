import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
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

/** Sessions with these titles, each after one turn. */
async function sessions(...titles: string[]): Promise<string[]> {
  const made = await Promise.all(titles.map((title) => bench.session("[[text]]", { title })));
  await Promise.all(made.map(({ id }) => bench.waitForState(id, "idle")));
  return made.map(({ id }) => id);
}

const tile = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const box = (page: Page, name: string) => tile(page, name).getByRole("textbox", { name: "Message", exact: true });
const order = (page: Page) => page.locator("[data-tile]").evaluateAll((all) => all.map((one) => one.dataset.tile));
const focusedTile = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-tile]")?.dataset.tile);

/** Whether anything is wider than the window. */
const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe.skipIf(!CHROMIUM.met)("several sessions side by side", needs(CHROMIUM), () => {
  it("are live transcripts with their own composers and approvals", async () => {
    const [one = "", two = "", three = ""] = await sessions("One", "Two", "Three");
    const page = await bench.page(`/s/${one}+${two}+${three}`);
    for (const name of ["One", "Two", "Three"])
      await tile(page, name).getByRole("log", { name: "Transcript" }).getByText("[[text]]").waitFor();
    expect(await page.title()).toContain("One + 2");
    await box(page, "Two").fill("[[write]] only to two");
    await box(page, "Two").press("Enter");
    await bench.waitForState(two, "waiting");
    const pending = tile(page, "Two").getByRole("button", { name: "Allow", exact: true });
    await pending.waitFor();
    expect(await tile(page, "One").getByText("only to two").count()).toBe(0);
    await takePictures(page, "tiles");
    // The keys answer the focused tile only.
    await page
      .getByRole("navigation", { name: "Tiles" })
      .getByRole("button", { name: /Tile 1 .*: One$/ })
      .click();
    await page.keyboard.press("y");
    expect((await bench.client.sessions.get(two)).state).toBe("waiting");
    await page.keyboard.press("]");
    expect(await focusedTile(page)).toBe(two);
    await pending.scrollIntoViewIfNeeded();
    await eventually("the answer", async () => {
      await page.keyboard.press("y");
      return (await bench.client.sessions.get(two)).state === "idle";
    });
    await page.close();
  });

  it("are focused, moved, closed and added by keyboard", async () => {
    const [one = "", two = "", three = ""] = await sessions("Alpha", "Beta", "Gamma");
    const page = await bench.page(`/s/${one}+${two}`);
    await tile(page, "Beta").getByRole("log").waitFor();
    await box(page, "Alpha").focus();
    await page.keyboard.press("F6");
    expect(await focusedTile(page)).toBe(two);
    await page.keyboard.type("typed");
    expect(await box(page, "Beta").inputValue()).toBe("typed");
    expect(await box(page, "Alpha").inputValue()).toBe("");
    await page.keyboard.press("Shift+F6");
    expect(await focusedTile(page)).toBe(one);
    await tile(page, "Alpha").getByRole("log").focus();
    await page.keyboard.press("}");
    await page.waitForURL(`**/s/${two}+${one}`);
    expect(await order(page)).toEqual([two, one]);
    // The tiles stay mounted: the draft and the focus survive.
    expect(await box(page, "Beta").inputValue()).toBe("typed");
    await page.keyboard.press("1");
    expect(await focusedTile(page)).toBe(two);
    await page.getByRole("button", { name: "Add session" }).click();
    const dialog = page.getByRole("dialog", { name: "Add session" });
    await dialog.getByRole("textbox", { name: "Find a session" }).fill("gamma");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/s/${two}+${three}+${one}`);
    await tile(page, "Gamma").getByRole("log").focus();
    await page.keyboard.press("x");
    await page.waitForURL(`**/s/${two}+${one}`);
    await tile(page, "Alpha").getByRole("button", { name: "Close tile: Alpha" }).click();
    await page.waitForURL(`**/s/${two}`);
    await page.getByRole("region", { name: "Beta", exact: true }).waitFor();
    expect(await page.locator("[data-tile]").count()).toBe(0);
    await page.close();
  });

  it("open from the command palette and from a selection on the board", async () => {
    const [one = "", two = ""] = await sessions("Palette one", "Palette two");
    const page = await bench.page(`/s/${one}`);
    await page.getByRole("log", { name: "Transcript" }).getByText("[[text]]").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("side by side");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add session" });
    await dialog.getByRole("textbox", { name: "Find a session" }).fill("palette two");
    await dialog.getByRole("button", { name: /Palette two/ }).click();
    await page.waitForURL(`**/s/${one}+${two}`);
    await page.goto(bench.url);
    const board = page.getByRole("region", { name: "Board", exact: true });
    for (const name of ["Palette one", "Palette two"])
      await board.getByRole("link", { name, exact: true }).click({ modifiers: ["Shift"] });
    const bar = page.getByRole("toolbar", { name: "Selected sessions" });
    await bar.getByText("2 selected").waitFor();
    await bar.getByRole("button", { name: "Side by side" }).click();
    await page.locator("[data-tile]").nth(1).waitFor();
    expect((await order(page)).toSorted()).toEqual([one, two].toSorted());
    await page.close();
  });

  it("are resized by keyboard and pointer, moved by drag, and remembered", async () => {
    const [one = "", two = ""] = await sessions("Left", "Right");
    const page = await bench.page(`/s/${one}+${two}`);
    const width = async (name: string) => (await tile(page, name).boundingBox())?.width ?? 0;
    const divider = page.getByRole("separator", { name: "Width of tiles 1 and 2" });
    await divider.waitFor();
    const before = await width("Left");
    expect(Math.abs(before - (await width("Right")))).toBeLessThan(3);
    await divider.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await eventually("the wider tile", async () => (await width("Left")) > before + 40);
    const at = await divider.boundingBox();
    await page.mouse.move((at?.x ?? 0) + 1, 400);
    await page.mouse.down();
    await page.mouse.move((at?.x ?? 0) - 250, 400, { steps: 4 });
    await page.mouse.up();
    await eventually("the narrower tile", async () => (await width("Left")) < before);
    await page.reload();
    await divider.waitFor();
    expect(await width("Left")).toBeLessThan(before);
    await divider.dblclick();
    await eventually("equal tiles", async () => Math.abs((await width("Left")) - (await width("Right"))) < 3);
    await tile(page, "Left").locator("header").dragTo(tile(page, "Right").getByRole("log"));
    await page.waitForURL(`**/s/${two}+${one}`);
    await page.close();
  });

  it("are swiped and selected on a phone, without horizontal overflow", async () => {
    const [one = "", two = "", three = ""] = await sessions("First", "Second", "Third");
    const page = await bench.page(`/s/${one}+${two}+${three}`, { viewport: { width: 390, height: 844 }, touch: true });
    await tile(page, "First").getByRole("log").waitFor();
    expect(await overflows(page)).toBe(false);
    const left = async (name: string) => (await tile(page, name).boundingBox())?.x ?? 0;
    const tabs = page.getByRole("navigation", { name: "Tiles" });
    await tabs.getByRole("button", { name: /Tile 3 .*: Third$/ }).tap();
    await eventually("the third tile", async () => Math.abs(await left("Third")) < 2);
    await tabs.locator('[aria-current="true"]').filter({ hasText: "3" }).waitFor();
    // A swipe scrolls the frame and snaps to a tile.
    await page
      .locator("[data-tile]")
      .first()
      .evaluate((one) => one.parentElement?.scrollBy({ left: -300 }));
    await eventually("the second tile", async () => Math.abs(await left("Second")) < 2);
    await tabs.locator('[aria-current="true"]').filter({ hasText: "2" }).waitFor();
    await tile(page, "Second").getByRole("button", { name: "Tile menu: Second" }).tap();
    await page.getByRole("menuitem", { name: "Move left" }).tap();
    await page.waitForURL(`**/s/${two}+${one}+${three}`);
    await page.close();
  });

  it("have no accessibility violations in light and dark at three widths", async () => {
    const [one = "", two = "", three = ""] = await sessions("Aa", "Bb", "Cc");
    const page = await bench.page(`/s/${one}+${two}+${three}`);
    await tile(page, "Cc").getByRole("log").waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [390, 1440, 2560]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await listViolations(page, "main")).toEqual([]);
        expect(await overflows(page)).toBe(false);
      }
    await page.close();
  });

  it("show what is missing when a session does not exist", async () => {
    const [one = ""] = await sessions("Known");
    const page = await bench.page(`/s/${one}+ses_missing`);
    await page.getByText("Session not found").waitFor();
    await page.getByRole("button", { name: "Close tile", exact: true }).click();
    await page.waitForURL(`**/s/${one}`);
    await page.close();
  });
});
