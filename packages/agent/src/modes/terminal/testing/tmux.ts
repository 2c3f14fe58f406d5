import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";

type Program = {
  command: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** Where the script that starts the program is written. */
  folder: string;
  width?: number;
  height?: number;
};

const WAIT = { timeout: 30_000, interval: 50 };

/** A program in a real terminal. */
export class TmuxScreen {
  readonly #socket = `gantry-${randomUUID()}`;

  constructor({ command, cwd, env, folder, width = 80, height = 24 }: Program) {
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const variables = Object.entries({ TERM: "xterm-256color", ...env }).map(([name, value]) =>
      quote(`${name}=${value}`),
    );
    const script = join(folder, "start.sh");
    writeFileSync(script, `cd ${quote(cwd)}\nexec env -i ${[...variables, ...command.map(quote)].join(" ")}\n`);
    this.#run("-f", "/dev/null", "new-session", "-d", "-x", `${width}`, "-y", `${height}`, `sh ${quote(script)}`);
    this.#run("set-option", "-g", "escape-time", "0");
    this.#run("set-option", "-g", "history-limit", "20000");
  }

  #run(...args: string[]): string {
    return execFileSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  type(text: string): void {
    this.#run("send-keys", "-l", "--", text);
  }

  /** Keys by tmux's names: Enter, Escape, C-c, PageDown. */
  press(...keys: string[]): void {
    this.#run("send-keys", ...keys);
  }

  submit(text: string): void {
    this.type(text);
    this.press("Enter");
  }

  /** A bracketed paste. */
  paste(text: string, folder: string): void {
    const file = join(folder, "paste.txt");
    writeFileSync(file, text);
    this.#run("load-buffer", file);
    this.#run("paste-buffer", "-p", "-r");
  }

  resize(width: number, height: number): void {
    this.#run("resize-window", "-x", `${width}`, "-y", `${height}`);
  }

  /** The visible rows. */
  rows(): string[] {
    return this.#run("capture-pane", "-p").replace(/\n$/, "").split("\n");
  }

  get text(): string {
    return this.rows().join("\n");
  }

  /** The rows with the whole scrollback. */
  get history(): string {
    return this.#run("capture-pane", "-p", "-S", "-");
  }

  /** With colours as escape sequences. */
  get coloured(): string {
    return this.#run("capture-pane", "-p", "-e");
  }

  async waitFor(text: string | RegExp): Promise<void> {
    await vi.waitFor(() => expect(this.text).toMatch(typeof text === "string" ? escapePattern(text) : text), WAIT);
  }

  async waitUntilGone(text: string): Promise<void> {
    await vi.waitFor(() => expect(this.text).not.toContain(text), WAIT);
  }

  close(): void {
    try {
      this.#run("kill-server");
    } catch {
      // The program has ended, and the server with it.
    }
  }
}

function escapePattern(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
