import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, writeFakeAgent } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLoginAgent } from "../../../packages/runtime/src/terminals/login-agent.fake.ts";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { showTab } from "../workbench/panel.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
let programs: string;
/** Console and page errors of all pages. */
const browserErrors: string[] = [];

beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  programs = mkdtempSync(join(realpathSync(tmpdir()), "gantry-programs-"));
  const broken = join(programs, "codex");
  writeFileSync(broken, "#!/bin/sh\necho no such library >&2\nexit 1\n");
  chmodSync(broken, 0o755);
  bench = await Workbench.open({
    GANTRY_GEMINI_BIN: writeLoginAgent(programs, "gemini"),
    GANTRY_CODEX_BIN: broken,
  });
}, 240_000);
afterAll(async () => {
  await bench?.close();
  if (programs) rmSync(programs, { recursive: true, force: true });
});

async function openPage(path: string): Promise<Page> {
  const page = await bench.page("/inbox");
  page.on("console", (message) => {
    if (message.type() === "error") browserErrors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => browserErrors.push(error.message));
  await page.goto(`${bench.url}${path}`);
  return page;
}

const view = (page: Page) => page.getByRole("region", { name: "Agents", exact: true });
const card = (page: Page, name: string) => view(page).getByRole("article", { name, exact: true });
const terminal = (page: Page) => page.getByRole("region", { name: "Terminal", exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** The text on the screen of the visible terminal. A long line may be wrapped. */
const screenText = async (page: Page) => (await terminal(page).locator(".xterm-rows > div").allInnerTexts()).join("");

async function expectScreen(page: Page, text: string | RegExp): Promise<void> {
  const found = (shown: string) => (typeof text === "string" ? shown.includes(text) : text.test(shown));
  await eventually(`the terminal shows ${text}`, async () => found(await screenText(page)));
}

async function type(page: Page, text: string): Promise<void> {
  await terminal(page).getByRole("textbox", { name: "Terminal input" }).focus();
  await page.keyboard.type(text);
}

/** A shell prompt, also root's. */
const PROMPT = /[$#]/;

describe.skipIf(!CHROMIUM.met)("the agents view", needs(CHROMIUM), () => {
  it("welcomes a new user and starts the demo with one click", async () => {
    const page = await openPage("/");
    await page.getByRole("heading", { name: "All your coding agents in one place" }).waitFor();
    await page.getByRole("region", { name: "Install an agent" }).getByRole("listitem").first().waitFor();
    await button(page, "Start the demo").click();
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    const id = await eventually("the demo asks", async () => (await bench.client.inbox())[0]?.session);
    const [input] = await bench.client.inbox();
    await bench.client.answer(input?.id ?? "", { decision: "allow" });
    const { cwd, lastTurn } = await bench.waitForState(id, "idle");
    expect(page.url()).toBe(`${bench.url}/s/${id}`);
    expect(lastTurn?.outcome).toBe("completed");
    rmSync(cwd, { recursive: true, force: true });
    await page.context().close();
  });

  it("orders agents by what the user has to do and shows how to fix each", async () => {
    const page = await openPage("/agents");
    await card(page, "Gemini CLI").getByText("Login required").waitFor();
    await card(page, "Codex").getByText("no such library").waitFor();
    await card(page, "Codex").getByText("Broken", { exact: true }).waitFor();
    await eventually("all agents are listed", async () => await button(page, "Rescan").isEnabled());
    const names = await view(page).getByRole("article").getByRole("heading", { level: 2 }).allInnerTexts();
    expect(names).toEqual(["Scripted agent", "Gemini CLI", "Gantry", "Codex"]);
    const more = view(page).getByRole("region", { name: "More agents you can install" });
    await more
      .getByRole("listitem")
      .first()
      .getByRole("button", { name: /^Install / })
      .waitFor();
    await card(page, "Scripted agent").getByRole("button", { name: "Details of Scripted agent" }).click();
    await card(page, "Scripted agent").getByText("Accepts messages during a turn").waitFor();
    await button(page, "Rescan").click();
    await view(page)
      .getByText(/^Checked \d+ of \d+$/)
      .waitFor();
    await eventually("the scan has ended", async () => await button(page, "Rescan").isEnabled());
    await page.context().close();
  });

  it("tests an agent with a real prompt and leaves nothing behind", async () => {
    const page = await openPage("/agents");
    await button(page, "Test Scripted agent").click();
    await card(page, "Scripted agent").getByText("Working", { exact: true }).waitFor({ timeout: 90_000 });
    expect(await card(page, "Scripted agent").getByRole("listitem").getByText("first output").count()).toBe(1);
    const left = async () => (await bench.client.sessions.list({ q: "doctor" })).sessions.length;
    await eventually("the session is gone", async () => (await left()) === 0);
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: "doctor", exact: true });
    await eventually("the page has removed it as well", async () => (await links.count()) === 0);
    expect(await bench.client.terminals.list()).toEqual([]);
    await page.context().close();
  });

  it("does not run a setup command when the page is loaded from a link", async () => {
    const page = await openPage("/agents?offer=gemini:login");
    await card(page, "Gemini CLI").getByRole("button", { name: "Log in to Gemini CLI", exact: true }).waitFor();
    await eventually("all agents are listed", async () => await button(page, "Rescan").isEnabled());
    expect(await bench.client.terminals.list()).toEqual([]);
    await page.context().close();
  });

  it("logs an agent in from a terminal and updates its card", async () => {
    const page = await openPage("/agents");
    await card(page, "Gemini CLI").getByRole("button", { name: "Log in to Gemini CLI", exact: true }).click();
    await expectScreen(page, "Word?");
    await page.keyboard.type("sesame\n");
    await expectScreen(page, "Logged in with sesame");
    await terminal(page).getByText("The program has ended.").waitFor();
    await card(page, "Gemini CLI").getByText("Ready", { exact: true }).waitFor({ timeout: 60_000 });
    expect(existsSync(join(bench.home, "logged-in"))).toBe(true);
    await button(page, "Close terminal").click();
    await terminal(page).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("lists an agent's saved conversations and continues one", async () => {
    const bin = writeFakeAgent({ dir: join(programs, "keeper"), dialect: "acp", pace: 1 });
    const profiles = join(bench.home, "gantry", "agents");
    mkdirSync(profiles, { recursive: true });
    writeFileSync(join(profiles, "keeper.yml"), `id: keeper\nname: Keeper\nextends: acp\ncommand: ["${bin}"]\n`);
    const { id } = await bench.session("[[text]] remember me", { agent: "keeper" });
    const { handles } = await bench.waitForState(id, "idle");
    await bench.client.sessions.delete(id);
    const page = await openPage("/agents");
    await card(page, "Keeper").getByRole("button", { name: "Details of Keeper" }).click();
    await button(page, "Show saved conversations").click();
    await button(page, "Continue").click();
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    const next = page.url().split("/").at(-1) ?? "";
    expect((await bench.client.sessions.get(next)).handles).toEqual(handles);
    await page.context().close();
  });
});

describe.skipIf(!CHROMIUM.met)("the terminals of a session", needs(CHROMIUM), () => {
  async function sessionPage(): Promise<Page> {
    const { id } = await bench.session("[[text]] hello");
    await bench.waitForState(id, "idle");
    return openPage(`/s/${id}`);
  }

  it("open by keyboard in the session's folder and survive a reload", async () => {
    const page = await sessionPage();
    await page.getByRole("textbox", { name: "Message", exact: true }).focus();
    await page.keyboard.press("Control+Backquote");
    await terminal(page).waitFor();
    await type(page, "pwd; printf '\\033[38;2;20;120;220m%s\\033[0m\\n' blue-$((40 + 2))\n");
    await expectScreen(page, bench.folder);
    await expectScreen(page, "blue-42");
    await page.reload();
    await expectScreen(page, "blue-42");
    await type(page, "echo still-$((6 * 7))\n");
    await expectScreen(page, "still-42");
    expect((await bench.client.terminals.list()).length).toBe(1);
    await button(page, "Close terminal").click();
    await terminal(page).waitFor({ state: "detached" });
    await eventually("it is gone", async () => (await bench.client.terminals.list()).length === 0);
    await page.context().close();
  });

  it("are resized by mouse and keyboard, and the program sees the new size", async () => {
    const page = await sessionPage();
    await showTab(page, "Terminal");
    await expectScreen(page, PROMPT);
    const handle = page.getByRole("separator", { name: "Panel width" });
    const columns = async () => Number((await screenText(page)).match(/\d+ (\d+)/)?.[1] ?? 0);
    const measure = async () => {
      await type(page, "clear; stty size\n");
      await page.waitForTimeout(500);
      return columns();
    };
    const before = await eventually("the width of the terminal", async () => (await measure()) || undefined);
    await handle.focus();
    for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowLeft");
    await eventually("the program sees more columns", async () => (await measure()) > before);
    const byKeys = await measure();
    const box = await handle.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 1, 300);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 101, 300, { steps: 4 });
    await page.mouse.up();
    await eventually("the program sees fewer columns", async () => {
      const now = await measure();
      return now > 0 && now < byKeys;
    });
    await page.context().close();
  });

  it("open in tabs that are reached by keyboard and show how their programs ended", async () => {
    const page = await sessionPage();
    await showTab(page, "Terminal");
    await expectScreen(page, PROMPT);
    await type(page, "echo the-first\n");
    await expectScreen(page, "the-first");
    await button(page, "New terminal").click();
    const tabs = terminal(page).getByRole("tab");
    await eventually("there are two", async () => (await tabs.count()) === 2);
    await eventually("an empty one is shown", async () => !(await screenText(page)).includes("the-first"));
    await expectScreen(page, PROMPT);
    await type(page, "exit 3\n");
    await terminal(page).getByText("The program ended with code 3.").waitFor();
    await tabs.first().click();
    await expectScreen(page, "the-first");
    await terminal(page).getByRole("textbox", { name: "Terminal input" }).focus();
    await page.keyboard.press("Control+Shift+ArrowUp");
    const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute("role"));
    expect(await focusedRole()).toBe("tab");
    await page.keyboard.press("ArrowRight");
    await terminal(page).getByText("The program ended with code 3.").waitFor();
    await page.keyboard.press("Control+Backquote");
    await terminal(page).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("are replaced after a daemon restart, because they end with the daemon", async () => {
    const page = await sessionPage();
    await showTab(page, "Terminal");
    await expectScreen(page, PROMPT);
    await type(page, "echo before-$((40 + 2))\n");
    await expectScreen(page, "before-42");
    const errorsBefore = browserErrors.length;
    await bench.kill();
    await bench.start();
    await eventually("another terminal is shown", async () => {
      const shown = await screenText(page);
      return PROMPT.test(shown) && !shown.includes("before-42");
    });
    await type(page, "echo after-$((40 + 2))\n");
    await expectScreen(page, "after-42");
    // While the daemon is down every call of the page fails, and the browser logs each failure.
    browserErrors.length = errorsBefore;
    await page.context().close();
  });

  it("cause no browser errors or content security violations", () => {
    expect(browserErrors).toEqual([]);
  });
});
