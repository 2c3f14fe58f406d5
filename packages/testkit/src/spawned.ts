import { spawn } from "node:child_process";
import { type Json, parseObject } from "./json.ts";
import { readLines } from "./lines.ts";

/** A process that speaks JSON lines, from the host's side. */
export interface Spawned {
  pid: number;
  /** Every object that it printed so far, in order. */
  frames: Json[];
  /** Every line that was no JSON object. */
  noise: string[];
  stderr(): string;
  send(frame: Json): void;
  /** Sends a text as it is, with a line end. */
  sendText(text: string): void;
  /** The first frame, past or coming, for which `test` holds. Rejects when the process ends without one. */
  waitFor(test: (frame: Json) => boolean): Promise<Json>;
  /** Ends its input. */
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
  const frames: Json[] = [];
  const noise: string[] = [];
  const watchers = new Set<() => void>();
  let errors = "";
  let ended = false;
  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-100_000);
  });
  child.stdin.on("error", () => {});
  const readAll = new Promise<void>((resolve) => {
    const onLine = (line: string) => {
      const frame = parseObject(line);
      if (frame) frames.push(frame);
      else noise.push(line);
      notify();
    };
    readLines(child.stdout, onLine, resolve);
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      void readAll.then(() => {
        ended = true;
        notify();
        resolve({ code, signal });
      });
    });
  });
  exit.catch(() => {});
  const waitFor = (test: (frame: Json) => boolean) =>
    new Promise<Json>((resolve, reject) => {
      let at = 0;
      const look = () => {
        while (at < frames.length) {
          const frame = frames[at++] as Json;
          if (!test(frame)) continue;
          watchers.delete(look);
          return resolve(frame);
        }
        if (ended) reject(new Error(`The process ended before the frame came. stderr: ${errors}`));
      };
      watchers.add(look);
      look();
    });
  return {
    pid: child.pid ?? -1,
    frames,
    noise,
    stderr: () => errors,
    send: (frame) => void child.stdin.write(`${JSON.stringify(frame)}\n`),
    sendText: (text) => void child.stdin.write(`${text}\n`),
    waitFor,
    hangUp: () => void child.stdin.end(),
    exit,
  };
}
