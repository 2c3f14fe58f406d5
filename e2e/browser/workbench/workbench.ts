import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import type { CreateSession, Session } from "@gantry/protocol";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type DaemonProcess, startDaemonProcess } from "../../harness/daemon-process.ts";
import { eventually } from "../../harness/wait.ts";
import { findChromium } from "./chromium.ts";

const ROOT = join(import.meta.dirname, "../../..");

export type OpenOptions = {
  colorScheme?: "light" | "dark";
  viewport?: { width: number; height: number };
  touch?: boolean;
  /** Lets the page install its service worker. Requests that it handles are invisible to `page.route`. */
  worker?: boolean;
};

/**
 * A real daemon with the scripted agent and a real browser, isolated from the machine's configuration. The caller of
 * `open` must call `close`. It serves the built page; `preparePage` builds it if a source is newer.
 */
export class Workbench {
  readonly home: string;
  /** A small git repository for sessions. */
  readonly folder: string;
  readonly client: Client;
  readonly browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #env: Record<string, string>;
  #daemon: DaemonProcess;
  #killed = false;

  private constructor(home: string, env: Record<string, string>, daemon: DaemonProcess, browser: Browser) {
    this.home = home;
    this.folder = join(home, "project");
    this.#env = env;
    this.#daemon = daemon;
    this.browser = browser;
    this.client = createClient({ resolve: () => ({ url: this.#daemon.url, token: this.#daemon.token }) });
  }

  static async open(env: Record<string, string> = {}): Promise<Workbench> {
    const home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-page-"));
    makeProject(join(home, "project"));
    const all = {
      HOME: home,
      GANTRY_HOME: join(home, "gantry"),
      PATH: process.env.PATH ?? "",
      SHELL: "/bin/sh",
      ...(process.env.GANTRY_PAGE_DIR ? { GANTRY_PAGE_DIR: process.env.GANTRY_PAGE_DIR } : {}),
      ...env,
    };
    const daemon = await startDaemonProcess(all);
    const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
    return new Workbench(home, all, daemon, browser);
  }

  get url(): string {
    return this.#daemon.url;
  }

  /** A page in a new browser profile, logged in with a ticket as a user's page is. */
  async page(path = "/", options: OpenOptions = {}): Promise<Page> {
    const { colorScheme = "light", viewport = { width: 1440, height: 900 }, touch = false, worker = false } = options;
    const context = await this.browser.newContext({
      ...{ colorScheme, viewport, hasTouch: touch, isMobile: touch },
      serviceWorkers: worker ? "allow" : "block",
    });
    this.#contexts.push(context);
    return this.tab(context, path);
  }

  /** Another tab of a profile. */
  async tab(context: BrowserContext, path = "/"): Promise<Page> {
    const page = await context.newPage();
    const { ticket } = await this.client.ticket();
    await page.goto(`${this.url}${path}#ticket=${ticket}`);
    // A test that navigates before the ticket is redeemed would be logged out.
    await eventually("the login of the page", () =>
      page.evaluate(() => localStorage.getItem("gantry.credential") !== null),
    );
    return page;
  }

  /** A session of the scripted agent. Markers in the prompt select what it does: `[[text]]`, `[[write]]`, `[[slow:40:50]]`. */
  session(prompt: string, more: Partial<CreateSession> = {}): Promise<Session> {
    return this.client.sessions.create({ agent: "scripted", cwd: this.folder, prompt, ...more });
  }

  /** Waits until the session is in one of these states. */
  async waitForState(id: string, ...states: Session["state"][]): Promise<Session> {
    return eventually(`session ${id} is ${states.join(" or ")}`, async () => {
      const session = await this.client.sessions.get(id);
      return states.includes(session.state) ? session : undefined;
    });
  }

  /** Kills the daemon with SIGKILL; agents keep running. */
  async kill(): Promise<void> {
    this.#killed = true;
    await this.#daemon.end("SIGKILL");
  }

  /** Starts the daemon again on the same home and therefore the same port. */
  async start(): Promise<void> {
    this.#daemon = await startDaemonProcess(this.#env);
    this.#killed = false;
  }

  /** Starts the daemon if a test killed it and did not start it again. */
  async revive(): Promise<void> {
    if (this.#killed) await this.start();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#daemon.end("SIGTERM");
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Builds the page if it is missing or older than its sources, as `npm start` does. Skipped if GANTRY_PAGE_DIR is set. */
export function preparePage(): void {
  if (process.env.GANTRY_PAGE_DIR) return;
  if (process.env.GANTRY_PAGE_BUILT === "1" && existsSync(join(ROOT, "dist/page/index.html"))) return;
  execFileSync(process.execPath, [join(ROOT, "scripts/bootstrap.mjs"), "packages/cli/src/main.ts", "--version"], {
    env: { ...process.env, GANTRY_BOOTSTRAP_QUIET: "1" },
  });
}

function makeProject(folder: string): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "README.md"), "# Parcel rates\n\nComputes what it costs to send a parcel.\n");
  writeFileSync(join(folder, "src/rates.ts"), "export const rate = (kilograms: number) => 4.5 + kilograms * 1.1;\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  const author = ["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
  git(...author, "commit", "--quiet", "--no-verify", "--message=Parcel rates");
}
