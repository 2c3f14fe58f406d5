import { spawn } from "node:child_process";
import { type Json, parseObject } from "@gantry/scripted/json";
import { readLines } from "@gantry/scripted/lines";

/** The host's side of a process that speaks JSON lines. */
export interface Spawned {
  pid: number;
  /** Every JSON object printed so far, in order. */
  frames: Json[];
  /** Every line that is not a JSON object. */
  noise: string[];
  stderr(): string;
  send(frame: Json): void;
  /** Sends a raw line. */
  sendText(text: string): void;
  /** The first past or future frame that passes `test`. Rejects when the process ends without one. */
  waitFor(test: (frame: Json) => boolean): Promise<Json>;
  /** Closes its input. */
  hangUp(): void;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a program in its own process group and reads its JSON lines. The caller ends it: by `hangUp`, or by killing
 * its group (`process.kill(-pid)`).
 */
export function spawnLines(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Spawned {
  const child = spawn(program, args, { ...options, stdio: "pipe", detached: true });
  const reader = new FrameReader();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-100_000);
  });
  child.stdin.on("error", () => {});
  const readAll = new Promise<void>((resolve) => readLines(child.stdout, (line) => reader.take(line), resolve));
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      void readAll.then(() => {
        reader.end(`The process ended before the frame came. stderr: ${errors}`);
        resolve({ code, signal });
      });
    });
  });
  exit.catch(() => {});
  return {
    pid: child.pid ?? -1,
    frames: reader.frames,
    noise: reader.noise,
    stderr: () => errors,
    send: (frame) => void child.stdin.write(`${JSON.stringify(frame)}\n`),
    sendText: (text) => void child.stdin.write(`${text}\n`),
    waitFor: (test) => reader.waitFor(test),
    hangUp: () => void child.stdin.end(),
    exit,
  };
}

/** The output of the process so far, and the pending waiters. */
class FrameReader {
  readonly frames: Json[] = [];
  readonly noise: string[] = [];
  readonly #watchers = new Set<() => void>();
  #ended: string | null = null;

  take(line: string): void {
    const frame = parseObject(line);
    if (frame) this.frames.push(frame);
    else this.noise.push(line);
    this.#wake();
  }

  end(reason: string): void {
    this.#ended = reason;
    this.#wake();
  }

  waitFor(test: (frame: Json) => boolean): Promise<Json> {
    return new Promise((resolve, reject) => {
      let at = 0;
      const look = () => {
        const found = this.frames.slice(at).find(test);
        at = this.frames.length;
        if (!found && this.#ended === null) return;
        this.#watchers.delete(look);
        if (found) resolve(found);
        else reject(new Error(this.#ended ?? ""));
      };
      this.#watchers.add(look);
      look();
    });
  }

  #wake(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
