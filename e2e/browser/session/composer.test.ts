import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose, chosenValue } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** A PNG of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LONG = "[[slow:4000:100]]";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const message = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const queueRegion = (page: Page) => page.getByRole("region", { name: "Queued messages" });
const rows = (page: Page) => queueRegion(page).getByRole("listitem");

/** A session whose turn runs until it is stopped, open in a page. */
async function startRunning(): Promise<{ session: Session; page: Page }> {
  const session = await bench.session(LONG);
  await bench.waitForState(session.id, "running");
  const page = await bench.page(`/s/${session.id}`);
  await button(page, "Stop").waitFor();
  return { session, page };
}

async function queueMessage(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await button(page, "Queue").click();
  await queueRegion(page).getByText(text, { exact: true }).waitFor();
}

async function queuedTexts(id: string): Promise<string[]> {
  return (await bench.client.sessions.get(id)).queue.map((entry) => entry.text);
}

/** The texts of all messages the session has received, in order. */
async function sentTexts(id: string): Promise<string[]> {
  const { events } = await bench.client.sessions.events(id, { limit: 10_000 });
  return events.flatMap((event) => (event.type === "message.user" ? [event.data.text] : []));
}

const expectQueue = (id: string, texts: string[]) =>
  eventually(`the queue is ${texts.join(", ")}`, async () => (await queuedTexts(id)).join() === texts.join());

describe.skipIf(!CHROMIUM.met)("the composer", needs(CHROMIUM), () => {
  it("starts a session with a message and opens it", async () => {
    const page = await bench.page("/new");
    await page.getByRole("button", { name: "Choose a folder" }).click();
    await page.getByRole("combobox", { name: "Path" }).fill(bench.folder);
    await page.keyboard.press("Enter");
    await choose(page.getByRole("combobox", { name: "Mode", exact: true }), "full-auto");
    await message(page).fill("[[text]]");
    await button(page, "Send").click();
    await page.waitForURL(/\/s\/ses_/);
    const id = page.url().split("/s/")[1] ?? "";
    const session = await bench.waitForState(id, "idle");
    expect(session).toMatchObject({ cwd: bench.folder, mode: "full-auto", turns: 1 });
    expect(await sentTexts(id)).toEqual(["[[text]]"]);
    await page.close();
  });

  it("queues and steers, and reports which of them happened", async () => {
    const { session, page } = await startRunning();
    await queueMessage(page, "then this");
    await page.getByText("Queued at position 1.").waitFor();
    await message(page).fill("mind the tests");
    await button(page, "Steer").click();
    await page.getByText("Steered into the running turn.").waitFor();
    expect(await queuedTexts(session.id)).toEqual(["then this"]);
    expect(await sentTexts(session.id)).toEqual([LONG, "then this", "mind the tests"]);
    expect(await message(page).inputValue()).toBe("");
    await page.close();
  });

  it("edits, moves and cancels queued messages", async () => {
    const { session, page } = await startRunning();
    for (const text of ["one", "two", "three"]) await queueMessage(page, text);
    await rows(page).nth(2).getByRole("button", { name: "Move up" }).click();
    await expectQueue(session.id, ["one", "three", "two"]);
    await rows(page).nth(0).getByRole("button", { name: "one" }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expectQueue(session.id, ["three", "one", "two"]);
    await rows(page).nth(1).getByText("one").click();
    await page.getByRole("textbox", { name: "Queued message", exact: true }).fill("one, better");
    await page.keyboard.press("Enter");
    await expectQueue(session.id, ["three", "one, better", "two"]);
    await rows(page).nth(0).getByRole("button", { name: "Cancel" }).click();
    await expectQueue(session.id, ["one, better", "two"]);
    await eventually("the page shows two", async () => (await rows(page).count()) === 2);
    await rows(page).nth(1).dragTo(rows(page).nth(0));
    await expectQueue(session.id, ["two", "one, better"]);
    await page.close();
  });

  it("stops and clears the queue, and undoes it", async () => {
    const { session, page } = await startRunning();
    await queueMessage(page, LONG);
    await queueMessage(page, "second");
    await message(page).fill("an unsent draft");
    await page.keyboard.press("Control+Shift+Backspace");
    await page.getByText("Stopped. Queue cleared.").waitFor();
    await button(page, "Undo").click();
    await eventually("both are back and the first of them runs", async () => {
      const now = await bench.client.sessions.get(session.id);
      return now.turns === 2 && now.state === "running" && now.queue.length === 1;
    });
    expect(await queuedTexts(session.id)).toEqual(["second"]);
    expect(await sentTexts(session.id)).toEqual([LONG, LONG, "second", LONG, "second"]);
    expect(await message(page).inputValue()).toBe("an unsent draft");
    await page.close();
  });

  it("holds the queue after Stop, sends one message now, and resumes the rest", async () => {
    const { session, page } = await startRunning();
    for (const text of ["[[text]] one", LONG, "[[text]] three"]) await queueMessage(page, text);
    await button(page, "Stop").click();
    await queueRegion(page).getByText("Queue paused.").waitFor();
    await bench.waitForState(session.id, "idle");
    expect(await bench.client.sessions.get(session.id)).toMatchObject({ queueState: "paused", turns: 1 });
    await rows(page).nth(1).getByRole("button", { name: "Send now" }).click();
    await bench.waitForState(session.id, "running");
    await expectQueue(session.id, ["[[text]] one", "[[text]] three"]);
    await queueRegion(page).getByText("Queue paused.").waitFor();
    await button(page, "Stop").click();
    await bench.waitForState(session.id, "idle");
    await queueRegion(page).getByRole("button", { name: "Resume" }).click();
    await eventually("all messages have run", async () => {
      const now = await bench.client.sessions.get(session.id);
      return now.turns === 4 && now.state === "idle" && now.queueState === "running";
    });
    await page.close();
  });

  it("interrupts and sends with one key", async () => {
    const { session, page } = await startRunning();
    await message(page).fill("[[text]]");
    await page.keyboard.press("Alt+Enter");
    await eventually("both turns have ended", async () => {
      const now = await bench.client.sessions.get(session.id);
      return now.turns === 2 && now.state === "idle";
    });
    await page.close();
  });

  it("keeps the draft and its files across an answer and a reload", async () => {
    const session = await bench.session("[[write]]");
    await bench.waitForState(session.id, "waiting");
    const page = await bench.page(`/s/${session.id}`);
    await message(page).fill("when that is done,\ngo on with");
    await page.setInputFiles("input[type=file]", {
      name: "pixel.png",
      mimeType: "image/png",
      buffer: Buffer.from(PNG, "base64"),
    });
    await page.getByText("pixel.png").waitFor();
    await page.getByRole("log", { name: "Transcript" }).getByRole("button", { name: "Allow", exact: true }).click();
    await bench.waitForState(session.id, "idle");
    await button(page, "Send").waitFor();
    expect(await message(page).inputValue()).toBe("when that is done,\ngo on with");
    await page.reload();
    await page.getByText("pixel.png").waitFor();
    expect(await message(page).inputValue()).toBe("when that is done,\ngo on with");
    await page.close();
  });

  it("completes files and commands by keyboard", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await message(page).pressSequentially("look at @rat");
    const option = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first();
    await option.waitFor();
    expect(await message(page).getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
    await page.keyboard.press("Enter");
    expect(await message(page).inputValue()).toBe("look at @src/rates.ts ");
    await message(page).fill("");
    await message(page).pressSequentially("/com");
    await page.getByRole("option", { name: /compact/ }).waitFor();
    await page.keyboard.press("Tab");
    expect(await message(page).inputValue()).toBe("/compact ");
    await page.close();
  });

  it("steps through earlier messages and back to the draft", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await message(page).fill("[[think]]");
    await page.keyboard.press("Enter");
    await eventually("the message has arrived", async () => (await sentTexts(session.id)).length === 2);
    await bench.waitForState(session.id, "idle");
    await message(page).fill("unfinished");
    await page.keyboard.press("Control+Home");
    const shows = (text: string) =>
      eventually(`it shows ${text}`, async () => (await message(page).inputValue()) === text);
    await page.keyboard.press("ArrowUp");
    await shows("[[think]]");
    await page.keyboard.press("ArrowUp");
    await shows("[[text]]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await shows("unfinished");
    await page.close();
  });

  it("sends a pasted image", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await message(page).fill("[[text]] what is this?");
    await message(page).evaluate((box, data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "pasted.png", { type: "image/png" }));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, PNG);
    const part = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
    await part.locator("img").waitFor();
    await button(page, "Send").click();
    const sent = await eventually("the message is in the log", async () => {
      const { events } = await bench.client.sessions.events(session.id);
      return events.findLast((event) => event.type === "message.user" && event.data.attachments.length > 0);
    });
    expect(sent.data).toMatchObject({ attachments: [{ name: "pasted.png", mime: "image/png" }] });
    await part.waitFor({ state: "detached" });
    await page.close();
  });

  it("shows the mode in use and changes it", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    const mode = page.getByRole("combobox", { name: "Mode", exact: true });
    await choose(mode, "plan");
    await page.getByText(/^Mode: plan,/).waitFor();
    expect(await bench.client.sessions.get(session.id)).toMatchObject({ mode: "plan", modeApplied: "plan" });
    expect(await chosenValue(mode)).toBe("plan");
    expect(await page.getByRole("combobox", { name: "Agent", exact: true }).isEnabled()).toBe(true);
    await page.close();
  });

  it("stores messages while the daemon is down and sends each exactly once", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await message(page).waitFor();
    const fresh = await bench.tab(page.context(), "/new");
    await fresh
      .getByRole("combobox", { name: "Agent", exact: true })
      .getByText("Scripted agent")
      .waitFor({ state: "attached" });
    await bench.kill();
    await page.getByRole("alert").waitFor();
    await message(page).fill("[[text]] sent while away");
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: "Messages to send when the daemon is back" })
      .getByText("sent while away")
      .waitFor();
    await page.reload().catch(() => undefined);
    await message(fresh).fill("[[text]] begun while away");
    await button(fresh, "Send").click();
    await fresh.getByText("The session starts when the daemon is back").waitFor();
    await bench.start();
    const begun = fresh.url().split("/s/")[1] ?? "";
    await page.goto(`${bench.url}/s/${session.id}`);
    await eventually("both have arrived", async () => {
      const born = await bench.client.sessions.get(begun).catch(() => undefined);
      return born?.turns === 1 && (await sentTexts(session.id)).length === 2;
    });
    await bench.waitForState(session.id, "idle");
    await bench.waitForState(begun, "idle");
    expect(await sentTexts(session.id)).toEqual(["[[text]]", "[[text]] sent while away"]);
    expect(await sentTexts(begun)).toEqual(["[[text]] begun while away"]);
    const stored = await page.evaluate(() => localStorage.getItem("gantry.outbox"));
    expect(stored ?? "[]").toBe("[]");
    await page.close();
  });
});
