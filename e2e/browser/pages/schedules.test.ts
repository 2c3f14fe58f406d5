import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose, chosenValue } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const message = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

/** Chooses a folder with the folder dialog, which is open. */
async function enterFolder(page: Page, folder: string): Promise<void> {
  await page.getByRole("combobox", { name: "Path", exact: true }).fill(folder);
  await page.keyboard.press("Enter");
}

describe.skipIf(!CHROMIUM.met)("scheduled messages", needs(CHROMIUM), () => {
  it("are created from the composer, paused, sent now and removed", async () => {
    const { id } = await bench.session("[[text]]", { title: "Later" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await message(page).fill("[[text]] and look again");
    await page.getByRole("button", { name: "Schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Send later" });
    expect(await dialog.getByRole("textbox", { name: "Scheduled message" }).inputValue()).toBe(
      "[[text]] and look again",
    );
    await dialog.getByRole("combobox", { name: "When" }).selectOption("every");
    await dialog.getByRole("textbox", { name: "Interval" }).fill("2h");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const list = page.getByRole("region", { name: "Scheduled messages" });
    await list.getByText("Every 2 hours").waitFor();
    expect(await message(page).inputValue()).toBe("");
    await list.getByRole("button", { name: "Pause" }).click();
    await list.getByText("Paused").waitFor();
    await list.getByRole("button", { name: /^Send .* now$/ }).click();
    await eventually("it ran", async () => (await bench.client.sessions.get(id)).turns === 2);
    await bench.waitForState(id, "idle");
    await list.getByRole("button", { name: "Remove schedule" }).click();
    await list.waitFor({ state: "detached" });
    expect(await bench.client.schedules.list(id)).toEqual([]);
    await page.close();
  });

  it("are changed: message, files, time, delivery and note", async () => {
    const { id } = await bench.session("[[text]]", { title: "Changed" });
    const other = await bench.session("[[text]]", { title: "Awaited" });
    await bench.waitForState(id, "idle");
    await bench.client.schedules.add({ session: id, text: "[[text]] before", every: 7200 });
    const page = await bench.page(`/s/${id}`);
    const list = page.getByRole("region", { name: "Scheduled messages" });
    await list.getByRole("button", { name: "Change schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Change schedule" });
    const field = (name: string) => dialog.getByRole("textbox", { name, exact: true });
    const choice = (name: string) => dialog.getByRole("combobox", { name, exact: true });
    await expect.poll(() => field("Scheduled message").inputValue()).toBe("[[text]] before");
    expect(await field("Interval").inputValue()).toBe("2h");
    const save = dialog.getByRole("button", { name: "Save" });
    expect(await save.isDisabled()).toBe(true);
    await field("Scheduled message").fill("[[text]] after");
    await dialog.locator("input[type=file]").setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("parcels"),
    });
    await dialog.getByText("notes.txt").waitFor();
    await choice("When").selectOption("after");
    expect(await save.isDisabled()).toBe(true);
    await choice("Session").selectOption(other.id);
    await choice("Outcome").selectOption("completed");
    await choice("Delivery").selectOption("interrupt");
    await field("Note").fill("The follow-up");
    await takePictures(page, "schedule-change");
    await save.click();
    await dialog.waitFor({ state: "detached" });
    await list.getByText("When “Awaited” completes").waitFor();
    await list.getByText("The follow-up").waitFor();
    const [changed] = await bench.client.schedules.list(id);
    expect(changed).toMatchObject({
      text: "[[text]] after",
      after: { session: other.id, outcome: "completed" },
      delivery: "interrupt",
      note: "The follow-up",
      attachments: [{ name: "notes.txt" }],
    });
    expect(changed).not.toHaveProperty("every");
    await page.context().close();
  });

  it("show why a change is refused, and stay as they were", async () => {
    const { id } = await bench.session("[[text]]", { title: "Refused" });
    await bench.client.schedules.add({ session: id, text: "[[text]]", every: 7200 });
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("button", { name: "Change schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Change schedule" });
    await dialog.getByRole("textbox", { name: "Interval" }).fill("often");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/no cron expression/)
      .waitFor();
    expect(await bench.client.schedules.list(id)).toMatchObject([{ every: 7200 }]);
    await page.context().close();
  });
});

describe.skipIf(!CHROMIUM.met)("scheduled sessions", needs(CHROMIUM), () => {
  it("are created in the settings with agent, model, mode, folders, title and time, and start as set", async () => {
    const library = join(bench.home, "library");
    mkdirSync(library);
    for (const { id } of await bench.client.schedules.list()) await bench.client.schedules.delete(id);
    const page = await bench.page("/settings?tab=schedules");
    await page.getByText("Nothing is scheduled").waitFor();
    await takePictures(page, "schedules-empty");
    await page.getByRole("button", { name: "Schedule a session" }).click();
    const dialog = page.getByRole("dialog", { name: "Schedule a session" });
    const choice = (name: string) => dialog.getByRole("combobox", { name, exact: true });
    await dialog.getByRole("textbox", { name: "Scheduled message" }).fill("[[text]] the nightly build");
    const schedule = dialog.getByRole("button", { name: "Schedule", exact: true });
    expect(await schedule.isDisabled()).toBe(true);
    await choice("When").selectOption("every");
    await dialog.getByRole("textbox", { name: "Interval" }).fill("0 3 * * *");
    await choose(choice("Agent"), "scripted");
    await choose(choice("Model"), "scripted-mini");
    await choose(choice("Mode"), "plan");
    await dialog.getByRole("button", { name: "Choose a folder" }).click();
    await enterFolder(page, bench.folder);
    await dialog.getByRole("button", { name: "Add folder" }).click();
    await enterFolder(page, library);
    await dialog.getByRole("textbox", { name: "Title" }).fill("Nightly");
    await dialog.getByRole("textbox", { name: "Pinned instructions" }).fill("Be brief.");
    await takePictures(page, "schedule-session");
    await schedule.click();
    await dialog.waitFor({ state: "detached" });
    const list = page.getByRole("list", { name: "Schedules" });
    await list.getByText(/^New session with Scripted agent · scripted-mini · Plan · .* · \+1 folder$/).waitFor();
    const [made] = await bench.client.schedules.list();
    expect(made).toMatchObject({
      text: "[[text]] the nightly build",
      every: "0 3 * * *",
      create: {
        agent: "scripted",
        model: "scripted-mini",
        mode: "plan",
        cwd: bench.folder,
        folders: [library],
        title: "Nightly",
        instructions: "Be brief.",
      },
    });
    await list.getByRole("button", { name: /^Send .* now$/ }).click();
    await list.getByRole("link", { name: "Nightly" }).click();
    await page.waitForURL(/\/s\/ses_/);
    const session = await bench.waitForState(page.url().split("/s/")[1] ?? "", "idle");
    expect(session).toMatchObject({ title: "Nightly", mode: "plan", model: "scripted-mini", folders: [library] });
    await page.goto(`${bench.url}/settings?tab=schedules`);
    await takePictures(page, "schedules");
    await list.getByRole("button", { name: "Pause" }).click();
    await list.getByText("Paused").waitFor();
    await list.getByRole("button", { name: "Remove schedule" }).click();
    await page.getByText("Nothing is scheduled").waitFor();
    await page.context().close();
  });

  it("are created from the form of a new session, in a lane, by touch on a narrow screen", async () => {
    const lane = await bench.client.call("createLane", { body: { cwd: bench.folder, name: "nightly" } });
    const page = await bench.page("/new", { touch: true, viewport: { width: 390, height: 844 } });
    await message(page).fill("[[text]] from the form");
    await choose(page.getByRole("combobox", { name: "Agent", exact: true }), "scripted");
    await choose(page.getByRole("combobox", { name: "Mode", exact: true }), "auto-edit");
    await page.getByRole("button", { name: "Schedule", exact: true }).tap();
    const dialog = page.getByRole("dialog", { name: "Schedule a session" });
    const text = dialog.getByRole("textbox", { name: "Scheduled message" });
    await expect.poll(() => text.inputValue()).toBe("[[text]] from the form");
    expect(await chosenValue(dialog.getByRole("combobox", { name: "Mode", exact: true }))).toBe("auto-edit");
    await dialog.getByRole("combobox", { name: "Folder or lane" }).selectOption({ label: "Lane nightly" });
    await takePictures(page, "schedule-touch");
    for (const control of await dialog.locator("select, textarea, input:not([type=file]), footer button").all()) {
      const box = await control.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await dialog.getByRole("button", { name: "Schedule", exact: true }).tap();
    await page.waitForURL(/tab=schedules/);
    await page.getByRole("list", { name: "Schedules" }).getByText("[[text]] from the form").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await takePictures(page, "schedules-touch");
    const [made] = await bench.client.schedules.list();
    expect(made?.create).toMatchObject({ agent: "scripted", mode: "auto-edit", lane: lane.id });
    expect(made?.create).not.toHaveProperty("cwd");
    await bench.client.schedules.run(made?.id ?? "");
    const { lastRun } = await bench.client.schedules.get(made?.id ?? "");
    expect((await bench.client.sessions.get(lastRun?.session ?? "")).lane).toBe(lane.id);
    await page.goto(`${bench.url}/new`);
    expect(await message(page).inputValue()).toBe("");
    await page.context().close();
  });
});
