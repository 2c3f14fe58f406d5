import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { panel, showTab } from "../workbench/panel.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const PHONE = { viewport: { width: 390, height: 844 }, touch: true };
const rates = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `export const rate${at} = (kilograms: number) => ${at} + kilograms * 1.1;\n`,
  ).join("");

/** A session that ran a shell script as its turn. */
async function changed(script: string): Promise<Session> {
  writeFileSync(join(bench.folder, "script.sh"), script);
  const session = await bench.session("[[script]] Change the rates", { mode: "full-auto" });
  await bench.waitForState(session.id, "idle");
  await eventually("the checkpoint", async () => (await bench.client.turns.list(session.id))[0]?.checkpoint.after);
  return session;
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder, encoding: "utf8" }).trim();
/** Measures the tasks of the page's main thread in milliseconds of processor time, until the longest one is asked for. */
async function watchMainThread(page: Page): Promise<{ longestTask: () => Promise<number> }> {
  const session = await page.context().newCDPSession(page);
  const tasks: { name: string; pid: number; tid: number; tdur?: number }[] = [];
  session.on("Tracing.dataCollected", ({ value }) => tasks.push(...(value as unknown as typeof tasks)));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] },
  });
  return {
    longestTask: async () => {
      const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
      await session.send("Tracing.end");
      await complete;
      // The thread that lays the document out is the main thread of the page.
      const main = tasks.find(({ name }) => name === "UpdateLayoutTree" || name === "Layout");
      const own = tasks.filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === main?.pid && tid === main.tid);
      expect(own.length).toBeGreaterThan(100);
      return Math.max(...own.map(({ tdur = 0 }) => tdur)) / 1000;
    },
  };
}

const overflows = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe.skipIf(!CHROMIUM.met)("the changes of a session", needs(CHROMIUM), () => {
  it("are commented on by keyboard, and the comments go to the agent", async () => {
    writeFileSync(join(bench.folder, "src/rates.ts"), rates(40));
    const session = await changed(
      "sed -i 's/rate3 = /heavyRate = /;s/rate30 = /lightRate = /' src/rates.ts; mkdir -p docs/user; echo '# Rates' > docs/user/rates.md; rm README.md",
    );
    const page = await bench.page(`/s/${session.id}`);
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    await page.keyboard.press("Control+j");
    await panel(page).getByText("4 files").or(panel(page).getByText("3 files")).first().waitFor();
    const line = panel(page).getByRole("button", { name: "Comment on line 4 of src/rates.ts" });
    await line.waitFor();
    await line.focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await panel(page).getByRole("button", { name: "One line more" }).click();
    const text = panel(page).getByRole("textbox", { name: "Comment on src/rates.ts, lines 4–5" });
    await text.fill("Name it after the parcel.");
    await page.keyboard.press("Control+Enter");
    const comment = panel(page).getByRole("article", { name: "Comment on src/rates.ts, lines 4–5" });
    await comment.getByText("Open").waitFor();
    await panel(page).getByText("1 comment goes with your next message.").waitFor();
    await panel(page).getByRole("button", { name: "Files" }).click();
    await takePictures(page, "review-tree");
    await panel(page).getByRole("button", { name: "Files" }).click();
    await takePictures(page, "review");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await listViolations(page)).toEqual([]);
    }
    await panel(page).getByRole("button", { name: "Show side by side" }).click();
    await panel(page).getByRole("button", { name: "Comment on removed line 4 of src/rates.ts" }).waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await takePictures(page, "review-split");
    expect(await listViolations(page)).toEqual([]);
    await panel(page).getByRole("button", { name: "Show unified" }).click();
    await panel(page).getByRole("button", { name: "Send now" }).click();
    await comment.getByText("Sent").waitFor();
    await eventually("the message", async () => {
      const { events } = await bench.client.sessions.events(session.id);
      return events.some(({ type, data }) => type === "message.user" && JSON.stringify(data).includes("Name it after"));
    });
    await page.reload();
    await comment.getByText("Sent").waitFor();
    await comment.getByRole("button", { name: "Resolve comment" }).click();
    await comment.getByText("Resolved").waitFor();
  });

  it("are a sheet on a phone, where a tap comments on a line", async () => {
    writeFileSync(join(bench.folder, "src/rates.ts"), rates(10));
    const session = await changed("sed -i 's/rate3 = /heavyRate = /' src/rates.ts");
    const page = await bench.page(`/s/${session.id}`, PHONE);
    await showTab(page, "Changes", { touch: true });
    await panel(page).getByRole("button", { name: "Comment on line 4 of src/rates.ts" }).tap();
    await panel(page)
      .getByRole("textbox", { name: /Comment on src\/rates.ts/ })
      .fill("Too long a name.");
    await panel(page).getByRole("button", { name: "Comment", exact: true }).tap();
    await panel(page).getByRole("article").getByText("Too long a name.").waitFor();
    expect(await panel(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    expect(await overflows(page)).toBe(false);
    await panel(page).getByRole("button", { name: "Files" }).tap();
    await panel(page)
      .getByRole("navigation", { name: "Changed files" })
      .getByRole("button", { name: /rates.ts/ })
      .tap();
    expect(await listViolations(page, "aside")).toEqual([]);
    await panel(page).getByRole("button", { name: "Close panel" }).tap();
    await eventually("the sheet is closed", async () => (await panel(page).count()) === 0);
  });

  it("are discarded by hunk, and undone", async () => {
    writeFileSync(join(bench.folder, "src/rates.ts"), rates(60));
    const session = await changed("sed -i 's/rate3 = /heavyRate = /;s/rate50 = /lightRate = /' src/rates.ts");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Changes");
    const read = () => readFileSync(join(bench.folder, "src/rates.ts"), "utf8");
    await panel(page)
      .getByRole("button", { name: /^Discard hunk at line 48/ })
      .click();
    await eventually("the hunk is gone", async () => !read().includes("lightRate") && read().includes("heavyRate"));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually("the hunk is back", async () => read().includes("lightRate"));
    await panel(page).getByRole("checkbox", { name: "Viewed src/rates.ts" }).check();
    await eventually("a viewed file is closed", async () => (await panel(page).locator("[data-line]").count()) === 0);
  });

  it("are staged by hunk and by file, and only the staged part is committed", async () => {
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    writeFileSync(join(bench.folder, "src/rates.ts"), rates(60));
    git("add", "-A");
    git("commit", "-qm", "Many rates");
    const session = await changed("sed -i 's/rate3 = /heavyRate = /;s/rate50 = /lightRate = /' src/rates.ts");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Changes");
    const button = (name: string) => panel(page).getByRole("button", { name, exact: true });
    await button("Stage hunk at line 48 of src/rates.ts").focus();
    await page.keyboard.press("Enter");
    await panel(page).getByText("Partly staged").waitFor();
    const staged = () => git("diff", "--cached");
    expect(staged()).toContain("lightRate");
    expect(staged()).not.toContain("heavyRate");

    const scope = panel(page).getByRole("combobox", { name: "Compared with" });
    await scope.selectOption("Not staged");
    await panel(page).getByText("heavyRate", { exact: true }).waitFor();
    await button("Stage src/rates.ts").click();
    await eventually("the rest is staged", async () => staged().includes("heavyRate"));
    await panel(page).getByText("heavyRate", { exact: true }).waitFor({ state: "detached" });
    await scope.selectOption("Staged");
    await button("Unstage hunk at line 1 of src/rates.ts").click();
    await eventually("one hunk is unstaged", async () => !staged().includes("heavyRate"));
    expect(staged()).toContain("lightRate");
    await panel(page).getByText("Partly staged", { exact: true }).waitFor();

    await button("Commit…").click();
    const dialog = page.getByRole("dialog", { name: "Commit on main" });
    expect(await dialog.getByRole("checkbox", { name: "Only what is staged" }).isChecked()).toBe(true);
    expect(await dialog.getByRole("textbox", { name: "Message" }).inputValue()).toMatch(/^Change rates\.ts/);
    expect(await listViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed [0-9a-f]{10}\.$/).waitFor();
    expect(git("show", "HEAD")).toContain("lightRate");
    expect(git("show", "HEAD")).not.toContain("heavyRate");
    expect(git("diff")).toContain("heavyRate");
    await scope.selectOption("Uncommitted");
    await button("Discard changes of src/rates.ts").click();
    await eventually("nothing is left", async () => git("diff") === "");
  });

  it("take a range with Shift", async () => {
    writeFileSync(join(bench.folder, "src/rates.ts"), rates(10));
    const session = await changed("sed -i 's/rate3 = /heavyRate = /' src/rates.ts");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Changes");
    const line = (number: number) =>
      panel(page).getByRole("button", { name: `Comment on line ${number} of src/rates.ts`, exact: true });
    await line(2).click();
    await line(4).click({ modifiers: ["Shift"] });
    await panel(page).getByRole("textbox", { name: "Comment on src/rates.ts, lines 2–4" }).fill("One rate is enough.");
    await page.keyboard.press("Control+Enter");
    await panel(page).getByRole("article", { name: "Comment on src/rates.ts, lines 2–4" }).waitFor();
    expect(await bench.client.comments.list(session.id)).toMatchObject([{ line: 2, endLine: 4 }]);
  });

  it("are committed with the suggested message, all or some files", async () => {
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    git("reset", "--quiet");
    const session = await changed("echo one > one.txt; echo two > two.txt");
    await bench.client.sessions.patch(session.id, { title: "Add two files" });
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Changes");
    await panel(page).getByRole("button", { name: "Commit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Commit on main" });
    await dialog.getByText("two.txt").click();
    expect(await dialog.getByRole("textbox", { name: "Message" }).inputValue()).toMatch(/^Add two files/);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "commit");
    await dialog.getByRole("button", { name: /^Commit \d+ files?$/ }).click();
    await page.getByText(/^Committed [0-9a-f]{10}\.$/).waitFor();
    expect(git("log", "-1", "--format=%s")).toBe("Add two files");
    expect(git("status", "--porcelain")).toBe("?? two.txt");
    await panel(page).getByText("1 uncommitted").waitFor();
  });

  it("stay a short list on screen with 500 files and 10,000 lines", async () => {
    mkdirSync(join(bench.folder, "many"), { recursive: true });
    const session = await changed(
      'for i in $(seq 500); do mkdir -p many/$((i % 20)); seq 20 | sed "s/.*/export const value_&_$i = & * $i;/" > many/$((i % 20))/file$i.ts; done',
    );
    const page = await bench.page(`/s/${session.id}`);
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    await page.waitForTimeout(1500);
    const opening = await page.evaluate(async () => {
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const started = performance.now();
      document.querySelector<HTMLElement>('button[aria-label="Panel"]')?.click();
      while (!document.querySelector('aside[aria-label="Panel"] [aria-expanded]')) await frame();
      const opened = performance.now() - started;
      while (!document.querySelector("aside [data-line]")) await frame();
      return { opened, lines: performance.now() - started };
    });
    const work = await watchMainThread(page);
    const figures = await page.evaluate(async () => {
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const scroller = document.querySelector('section[aria-label="Changed lines"]');
      const gaps: number[] = [];
      let most = 0;
      for (let count = 0, last = await frame(); count < 300; count++) {
        scroller?.scrollBy(0, 120);
        const now = await frame();
        gaps.push(now - last);
        last = now;
        most = Math.max(most, document.querySelectorAll("aside [data-line]").length);
      }
      gaps.sort((one, other) => other - one);
      return { longest: gaps[0], p99: gaps[3], most, scrolled: scroller?.scrollTop };
    });
    const longestTask = await work.longestTask();
    console.log("500 files:", JSON.stringify({ ...opening, ...figures, longestTask }));
    // Time of the processor, because other processes of the machine delay a frame as well.
    expect(longestTask).toBeLessThan(50);
    expect(figures.most).toBeLessThan(200);
    expect(figures.scrolled).toBeGreaterThan(10_000);
    await panel(page)
      .getByText(/^50\d files$/)
      .waitFor();
  });
});
