// `node scripts/bootstrap.mjs scripts/docs/terminal-pictures.ts`: takes the pictures of docs/user/terminal.md. The programs run in tmux with a
// real daemon and the scripted agent; Chromium draws the captured screens.
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium, HOW_TO_GET_ONE } from "../../e2e/browser/workbench/chromium.ts";
import { eventually } from "../../e2e/harness/wait.ts";
import { DaemonHome } from "../../e2e/robustness/daemon-home.ts";
import { TmuxScreen } from "../../e2e/terminal/tmux-screen.ts";
import { root } from "../steps.ts";
import { screenHtml } from "./screen-html.ts";

const FOLDER = join(root, "docs/user/pictures");
const SIZE = { width: 110, height: 30 };

const executablePath = findChromium();
if (!executablePath) {
  process.stderr.write(`Chromium was not found. ${HOW_TO_GET_ONE}\n`);
  process.exit(3);
}
const home = new DaemonHome();
const client = await home.start();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const start = async (title: string, prompt = title) =>
    (await client.sessions.create({ agent: "scripted", mode: "ask", cwd: home.cwd, title, prompt })).id;
  const demo = await start("Add a note for the team");
  await start("Write the price list", "[[lines:120]]");
  await start("Round the rates to ten cents", "[[text]]");
  await start("Explain the tariff", "[[slow:4000:60]]");
  await eventually("the requests", async () => (await client.inbox()).length === 2);
  await take("terminal-sessions", [], "Working 1", []);
  await take("terminal-inbox", [], "Sessions", ["i"], "Approval needed");
  await take("terminal-session", [demo], "Approval needed", []);
} finally {
  await browser.close();
  await home.dispose();
}

/** Opens the program, waits for a text, presses keys, waits again, and draws the screen. */
async function take(name: string, args: string[], first: string, keys: string[], then = first): Promise<void> {
  const screen = new TmuxScreen(["tui", ...args], { env: home.env, cwd: home.cwd, ...SIZE });
  try {
    await screen.shows(first);
    if (keys.length > 0) screen.press(...keys);
    await screen.shows(then);
    const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, deviceScaleFactor: 1 });
    await page.setContent(screenHtml(screen.coloured));
    await page.locator("pre").screenshot({ path: join(FOLDER, `${name}.png`) });
    await page.close();
    process.stdout.write(`${name}.png\n`);
  } finally {
    screen.close();
  }
}
