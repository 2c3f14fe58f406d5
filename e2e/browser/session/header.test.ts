import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...args], { cwd: bench.folder });
const transcript = (page: Page) => page.getByRole("log", { name: "Transcript" });
const header = (page: Page) => page.locator("header").filter({ has: page.getByRole("heading", { level: 1 }) });
const overflows = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

async function ended(prompt: string, more: Parameters<Workbench["session"]>[1] = {}) {
  const session = await bench.session(prompt, more);
  await bench.waitForState(session.id, "idle");
  return session;
}

describe.skipIf(!CHROMIUM.met)("the header of a session", needs(CHROMIUM), () => {
  it("shows branch and uncommitted files, and commits them", async () => {
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    git("config", "commit.gpgsign", "false");
    const session = await ended("[[text]] Look around");
    writeFileSync(join(bench.folder, "notes.md"), "# Notes\n");
    const page = await bench.page(`/s/${session.id}`);
    await header(page).getByTitle("Branch main: 1 uncommitted file").waitFor();
    await takePictures(page, "header");
    await header(page).getByRole("button", { name: "Commit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Commit on main" });
    await dialog.getByRole("textbox", { name: "Message" }).fill("Add notes");
    await dialog.getByRole("button", { name: "Commit 1 file" }).click();
    await header(page).getByTitle("Branch main: nothing to commit").waitFor();
    expect(String(git("log", "-1", "--format=%s")).trim()).toBe("Add notes");
    await expect.poll(() => header(page).getByRole("button", { name: "Commit", exact: true }).count()).toBe(0);
  });

  it("names the lane, links to it and lands it", async () => {
    const lane = await bench.client.lanes.create({ cwd: bench.folder, name: "rates" });
    const session = await bench.session("[[write]] Write a file", { cwd: undefined, lane: lane.id, mode: "full-auto" });
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    const link = header(page).getByRole("link", { name: /^Lane rates/ });
    await link.waitFor();
    expect(await header(page).textContent()).not.toContain("lan_");
    await header(page)
      .getByTitle(/uncommitted file/)
      .waitFor();
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "header-lane");
    await header(page).getByRole("button", { name: "Land", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /Land/ });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 900, height: 800 });
    await header(page).getByRole("button", { name: "Git actions" }).click();
    await page.getByRole("menuitem", { name: /^Land on main/ }).waitFor();
    await page.keyboard.press("Escape");
    await link.click();
    await page.waitForURL(/\/lanes\/lan_/);
  });

  it("shows what is unknown as unknown, never as zero", async () => {
    const session = await ended("[[text]] Describe the folder");
    const { usage, cost, context } = await bench.client.sessions.get(session.id);
    expect([usage.input > 0, cost?.usd, context?.used !== undefined]).toEqual([true, 0, true]);
    const page = await bench.page(`/s/${session.id}`);
    await header(page).getByText("Tokens").waitFor();
    await header(page).getByText("Context", { exact: true }).waitFor();
    await header(page).getByText("Cost").waitFor();
    const empty = await bench.client.sessions.create({ agent: "scripted", cwd: bench.folder });
    await page.goto(`${bench.url}/s/${empty.id}`);
    await header(page).waitFor();
    expect(await header(page).getByText("Cost").count()).toBe(0);
  });
});

describe.skipIf(!CHROMIUM.met)("a message", needs(CHROMIUM), () => {
  it("has a time, and the message box has the focus when a session opens", async () => {
    const session = await ended("[[text]] When was this?");
    const page = await bench.page(`/s/${session.id}`);
    await page.getByRole("textbox", { name: "Message" }).and(page.locator(":focus")).waitFor();
    const own = transcript(page).locator("[data-row=user] time");
    expect(await own.textContent()).toMatch(/^\d\d:\d\d$/);
    expect(await transcript(page).locator("[data-row=message] time").first().textContent()).toMatch(/^\d\d:\d\d$/);
    expect(await transcript(page).locator("[data-row=turn] time").textContent()).toMatch(/^\d\d:\d\d$/);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toContain("When was this?");
  });

  it("is edited and resent in a new session, from the point before it", async () => {
    const session = await ended("[[text]] First question");
    await bench.client.sessions.send(session.id, { text: "[[text]] Second question" });
    await eventually("the second turn", async () => (await bench.client.turns.list(session.id))[1]?.endedAt);
    const page = await bench.page(`/s/${session.id}`);
    const second = transcript(page).locator("[data-row=user]").nth(1);
    await second.hover();
    await second.getByRole("button", { name: "Row actions" }).click();
    await page.getByRole("menuitem", { name: "Edit and resend…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit and resend" });
    await dialog.getByRole("textbox", { name: "Edited message" }).fill("[[text]] Better question");
    await dialog.getByRole("combobox", { name: "Files" }).selectOption("none");
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "resend");
    await dialog.getByRole("button", { name: "Send in a new session" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session.id));
    await transcript(page).getByText("Better question").first().waitFor();
    const id = new URL(page.url()).pathname.slice(3);
    const { parent, forkedAt } = await bench.client.sessions.get(id);
    expect([parent, forkedAt]).toEqual([session.id, (await bench.client.turns.list(session.id))[0]?.endSeq]);
    const texts = (await bench.client.sessions.events(session.id)).events.flatMap((event) =>
      event.type === "message.user" ? [event.data.text] : [],
    );
    expect(texts).toEqual(["[[text]] First question", "[[text]] Second question"]);
  });

  it("that is the first one starts a new session with the same settings", async () => {
    const session = await ended("[[text]] Only question", { mode: "plan" });
    const page = await bench.page(`/s/${session.id}`);
    const first = transcript(page).locator("[data-row=user]").first();
    await first.hover();
    await first.getByRole("button", { name: "Row actions" }).click();
    await page.getByRole("menuitem", { name: "Edit and resend…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit and resend" });
    await dialog.getByText("A new session starts with this message").waitFor();
    await dialog.getByRole("textbox", { name: "Edited message" }).fill("[[text]] Other question");
    await dialog.getByRole("button", { name: "Send in a new session" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session.id));
    const id = new URL(page.url()).pathname.slice(3);
    expect(await bench.client.sessions.get(id)).toMatchObject({ mode: "plan", cwd: bench.folder });
  });
});

describe.skipIf(!CHROMIUM.met)("the transcript", needs(CHROMIUM), () => {
  it("puts the menu of a row next to its content, and uses wide screens", async () => {
    const session = await ended("[[text]] A question");
    const page = await bench.page(`/s/${session.id}`, { viewport: { width: 2560, height: 1300 } });
    const row = transcript(page).locator("[data-row=user]").first();
    await row.waitFor();
    for (const width of [2560, 1440, 800]) {
      await page.setViewportSize({ width, height: 1000 });
      await row.hover();
      const menu = await row.getByRole("button", { name: "Row actions" }).boundingBox();
      const content = await row.locator("> div").first().boundingBox();
      expect(menu!.x).toBeGreaterThanOrEqual(content!.x + content!.width);
      expect(await page.getByRole("button", { name: "Row actions" }).count()).toBe(1);
      if (width === 2560) expect(content!.width).toBeGreaterThan(1200);
      expect(await overflows(page)).toBe(false);
    }
    expect(await page.getByRole("button", { name: /Jump to latest/ }).count()).toBe(0);
  });

  it("offers the way to the latest row only when something is below", async () => {
    const session = await ended("[[text]] Short");
    const page = await bench.page(`/s/${session.id}`);
    await transcript(page).locator("[data-row=turn]").waitFor();
    await page.goto(`${bench.url}/s/${session.id}#2`);
    await transcript(page).locator("[data-row=turn]").waitFor();
    await page.waitForTimeout(300);
    expect(await page.getByRole("button", { name: /Jump to latest/ }).count()).toBe(0);
  });
});

describe.skipIf(!CHROMIUM.met)("search", needs(CHROMIUM), () => {
  it("lists the newest match first and filters by kind, age and agent in the address", async () => {
    const older = await ended("[[text]] armadillo in the old session");
    const newer = await ended("[[text]] armadillo in the new session");
    const page = await bench.page("/search?q=armadillo");
    const results = page.getByRole("region", { name: "Search results" });
    await results.locator("[data-hit]").first().waitFor();
    const links = () =>
      results.locator("[data-hit]").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    const order = [...new Set((await links()).map((href) => href.split("/s/")[1]?.split("#")[0]))];
    expect(order.slice(0, 2)).toEqual([newer.id, older.id]);
    await results.getByRole("combobox", { name: "Kind of text" }).selectOption("tool");
    await results.getByText("No matches for “armadillo”").waitFor();
    expect(page.url()).toContain("kind=tool");
    await results.getByRole("combobox", { name: "Kind of text" }).selectOption("user");
    await results.locator("[data-hit]").first().waitFor();
    expect((await links()).length).toBeGreaterThanOrEqual(2);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "search");
    await results.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => page.url()).not.toContain("kind=");
  });
});

// The last test: its limit holds all sessions of the agent.
describe.skipIf(!CHROMIUM.met)("a message", needs(CHROMIUM), () => {
  it("that a provider refuses stays in its place, with one row and one retry for the limit", async () => {
    const session = await bench.session("[[refuse:rate_limit:retry-after 600]] Do it");
    await bench.waitForState(session.id, "limited");
    const page = await bench.page(`/s/${session.id}`);
    const limit = transcript(page).locator("[data-row=limit]");
    await limit.waitFor();
    for (const refusals of [2, 3]) {
      await page.getByRole("button", { name: "Try now" }).click();
      await limit.getByText(`refused ${refusals} times`).waitFor();
    }
    expect(
      await transcript(page)
        .locator("[data-row]")
        .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row"))),
    ).toEqual(expect.arrayContaining(["user", "limit"]));
    expect(await limit.count()).toBe(1);
    expect(await transcript(page).locator("[data-row=user]").getByText("Do it").count()).toBe(1);
    expect(await transcript(page).locator("[data-row=turn], [data-row=error]").count()).toBe(0);
    expect(await page.getByRole("button", { name: /Try/ }).count()).toBe(1);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "limit");
  });
});
