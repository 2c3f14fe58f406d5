import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

/** A session with one finished turn, open in a page. */
async function openSession(): Promise<{ id: string; page: Page }> {
  const { id } = await bench.session("[[text]]", { title: "Parcel rates" });
  await bench.waitForState(id, "idle");
  const page = await bench.page(`/s/${id}`);
  await page.getByRole("heading", { name: "Parcel rates", level: 1 }).waitFor();
  return { id, page };
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

describe.skipIf(!CHROMIUM.met)("the session page", needs(CHROMIUM), () => {
  it("shows the agent, state, context and folder of the session", async () => {
    const { page } = await openSession();
    const header = page.getByRole("region", { name: "Parcel rates" }).locator("header").first();
    await header.getByText("Scripted agent").waitFor();
    await header.getByText(/^Done/).waitFor();
    await header.getByText(/ \/ 200k$/).waitFor();
    expect(await header.getByRole("button", { name: `Copy folder path ${bench.folder}` }).count()).toBe(1);
    await page.close();
  });

  it("renames the session in place", async () => {
    const { id, page } = await openSession();
    await page.getByRole("heading", { level: 1 }).dblclick();
    await page.getByRole("textbox", { name: "Title" }).fill("Rates by zone");
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: "Rates by zone" }).waitFor();
    expect((await bench.client.sessions.get(id)).title).toBe("Rates by zone");
    await page.close();
  });

  it("archives the session and undoes it", async () => {
    const { id, page } = await openSession();
    await choose(page, "Archive");
    await page.getByText(/^Archived “/).waitFor();
    expect((await bench.client.sessions.get(id)).archived).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually("it is back", async () => !(await bench.client.sessions.get(id)).archived);
    await page.close();
  });

  it("makes the session a lead, shows it in the header and the settings, and revokes it", async () => {
    const { id, page } = await openSession();
    const isLead = async () => (await bench.client.sessions.get(id)).lead === true;
    await choose(page, "Lead…");
    await takePictures(page, "lead-dialog");
    await page.getByRole("dialog", { name: "Lead" }).getByRole("button", { name: "Make it a lead" }).click();
    await page.locator("header").getByText("Lead", { exact: true }).waitFor();
    await eventually("it is a lead", isLead);
    await takePictures(page, "lead-header");
    await page.goto(`${bench.url}/settings?tab=grants`);
    const row = page.getByRole("button", { name: "Revoke the lead of Parcel rates" });
    await row.waitFor();
    await takePictures(page, "lead-settings");
    await row.click();
    await eventually("it is no lead", async () => !(await isLead()));
    await row.waitFor({ state: "detached" });
    await page.close();
  });

  it("forks the session and opens the fork", async () => {
    const { id, page } = await openSession();
    await choose(page, "Fork");
    await page.waitForURL((url) => url.pathname.startsWith("/s/ses_") && !url.pathname.endsWith(id));
    const fork = await bench.client.sessions.get(page.url().split("/s/")[1] ?? "");
    expect(fork.parent).toBe(id);
    await page.close();
  });

  it("deletes the session only after confirmation", async () => {
    const { id, page } = await openSession();
    await choose(page, "Delete…");
    const dialog = page.getByRole("dialog", { name: "Delete session" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await bench.client.sessions.get(id)).id).toBe(id);
    await choose(page, "Delete…");
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect(bench.client.sessions.get(id)).rejects.toMatchObject({ code: "no_such_session" });
    await page.goto(`${bench.url}/s/${id}`);
    await page.getByRole("heading", { name: "Session not found" }).waitFor();
    await page.close();
  });

  it("sends nothing that is typed right after the command palette was opened from the message box", async () => {
    const { page } = await openSession();
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await eventually("the query", async () => (await palette.getByRole("combobox").inputValue()) === "settings");
    await palette
      .getByRole("option", { name: /Settings/ })
      .first()
      .waitFor();
    expect(await message.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await message.and(page.locator(":focus")).waitFor();
    await page.close();
  });

  it("focuses and leaves the message box by keyboard", async () => {
    const { page } = await openSession();
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.waitFor();
    const isFocused = () => message.evaluate((box) => box === document.activeElement);
    // It has the focus when a session opens.
    await eventually("the message box has the focus", isFocused);
    await page.keyboard.type("half");
    await page.keyboard.press("Escape");
    expect(await isFocused()).toBe(false);
    await page.keyboard.press("i");
    await eventually("the message box has the focus", isFocused);
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await eventually("the message box has the focus", isFocused);
    expect(await message.inputValue()).toBe("half");
    await page.close();
  });
});
