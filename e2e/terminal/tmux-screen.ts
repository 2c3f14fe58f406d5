import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gantryProgram } from "../harness/daemon-process.ts";
import { eventually } from "../harness/wait.ts";

type Options = { env: Record<string, string>; cwd: string; width?: number; height?: number };

/** A command in a real terminal: a tmux server with one window. `close` ends the server. */
export class TmuxScreen {
  readonly #socket: string;
  readonly #env: Record<string, string>;

  constructor(args: readonly string[], { env, cwd, width = 80, height = 24 }: Options) {
    this.#socket = join(cwd, `../tmux-${Math.random().toString(36).slice(2)}`);
    this.#env = { ...env, TERM: "xterm-256color", LANG: "C.UTF-8" };
    const command = [process.execPath, "--disable-warning=ExperimentalWarning", gantryProgram(), ...args];
    const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(" ");
    const size = ["-x", String(width), "-y", String(height)];
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-s", "test", "-c", cwd, `exec ${quoted}`);
    this.#tmux("set-option", "-g", "remain-on-exit", "on");
    this.#tmux("set-option", "-g", "default-terminal", "tmux-256color");
  }

  /** The rows of the screen, without spaces at their ends. */
  get rows(): string[] {
    return this.#tmux("capture-pane", "-p", "-t", "test").split("\n");
  }

  get text(): string {
    return this.rows.join("\n");
  }

  /** The screen and everything above it. */
  get scrollback(): string {
    return this.#tmux("capture-pane", "-p", "-S", "-", "-t", "test");
  }

  /** The same with colours. */
  get coloured(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-N", "-t", "test");
  }

  /** Sends keys by their tmux names, such as `Enter` or `C-p`. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", "-t", "test", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-t", "test", "-l", text);
  }

  /** Pastes like a terminal does, with bracketed paste. */
  paste(text: string): void {
    const file = `${this.#socket}.paste`;
    writeFileSync(file, text);
    this.#tmux("load-buffer", file);
    this.#tmux("paste-buffer", "-p", "-t", "test");
  }

  resize(width: number, height: number): void {
    this.#tmux("resize-window", "-t", "test", "-x", String(width), "-y", String(height));
  }

  /** Waits until the screen shows the text. */
  async shows(text: string | RegExp): Promise<string> {
    const matches = (screen: string) => (typeof text === "string" ? screen.includes(text) : text.test(screen));
    let last = "";
    return eventually(
      () => `${text} on this screen:\n${last}`,
      () => {
        last = this.text;
        return matches(last) ? last : undefined;
      },
    );
  }

  /** Seconds of CPU time of the program so far. */
  get cpuSeconds(): number {
    const pid = this.#tmux("list-panes", "-t", "test", "-F", "#{pane_pid}").trim();
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  close(): void {
    try {
      this.#tmux("kill-server");
    } catch {
      // It has ended.
    }
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8", env: this.#env });
  }
}
