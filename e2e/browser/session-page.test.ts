import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../wait.ts";
import { findChromium } from "./chromium.ts";
import { useWorkbench } from "./use-workbench.ts";
import type { Workbench } from "./workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

/** A session that has said something, and a page that shows it. */
async function shown(): Promise<{ id: string; page: Page }> {
  const { id } = await bench.session("[[text]]", { title: "Parcel rates" });
  await bench.reached(id, "idle");
  const page = await bench.page(`/s/${id}`);
  await page.getByRole("heading", { name: "Parcel rates", level: 1 }).waitFor();
  return { id, page };
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

describe.skipIf(!findChromium())("the page of a session", () => {
  it("says what the session is, and how it stands", async () => {
    const { page } = await shown();
    const header = page.getByRole("region", { name: "Parcel rates" }).locator("header").first();
    await header.getByText("Scripted agent").waitFor();
    await header.getByText(/^Done/).waitFor();
    await header.getByText(/ \/ 200k$/).waitFor();
    expect(await header.getByRole("button", { name: `Copy the folder ${bench.folder}` }).count()).toBe(1);
    await page.close();
  });

  it("is renamed in place", async () => {
    const { id, page } = await shown();
    await page.getByRole("heading", { level: 1 }).dblclick();
    await page.getByRole("textbox", { name: "Title" }).fill("Rates by zone");
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: "Rates by zone" }).waitFor();
    expect((await bench.client.sessions.get(id)).title).toBe("Rates by zone");
    await page.close();
  });

  it("archives it and takes that back", async () => {
    const { id, page } = await shown();
    await choose(page, "Archive");
    await page.getByText(/^Archived “/).waitFor();
    expect((await bench.client.sessions.get(id)).archived).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually("it is back", async () => !(await bench.client.sessions.get(id)).archived);
    await page.close();
  });

  it("forks it and goes to the fork", async () => {
    const { id, page } = await shown();
    await choose(page, "Fork");
    await page.waitForURL((url) => url.pathname.startsWith("/s/ses_") && !url.pathname.endsWith(id));
    const fork = await bench.client.sessions.get(page.url().split("/s/")[1] ?? "");
    expect(fork.parent).toBe(id);
    await page.close();
  });

  it("deletes it only when that is confirmed", async () => {
    const { id, page } = await shown();
    await choose(page, "Delete …");
    const dialog = page.getByRole("dialog", { name: "Delete the session" });
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await bench.client.sessions.get(id)).id).toBe(id);
    await choose(page, "Delete …");
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect(bench.client.sessions.get(id)).rejects.toMatchObject({ code: "no_such_session" });
    await page.goto(`${bench.url}/s/${id}`);
    await page.getByRole("heading", { name: "There is no such session" }).waitFor();
    await page.close();
  });

  it("is left and entered by keyboard", async () => {
    const { page } = await shown();
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.waitFor();
    const focused = () => message.evaluate((box) => box === document.activeElement);
    await page.keyboard.press("i");
    await eventually("it can be written", focused);
    await page.keyboard.type("half");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe(false);
    await page.keyboard.press("e");
    await eventually("it can be written", focused);
    expect(await message.inputValue()).toBe("half");
    await page.close();
  });
});
