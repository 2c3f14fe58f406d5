import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bareEnvironment, NODE, repository } from "./child.ts";

const MAIN = join(repository, "packages/testkit/src/fake-agent/main.ts");

/**
 * The scripted agent on bare pipes, with nothing between it and its reader: the floor. `onLine` gets every line as
 * parsed JSON. Resolves when a turn has ended.
 */
export async function playDirectly(home: string, prompt: string, onLine: (frame: Told) => void): Promise<void> {
  const child = spawn(NODE[0] ?? "", [...NODE.slice(1), MAIN, "--dialect", "scripted"], {
    cwd: home,
    env: bareEnvironment(home, "floor"),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  try {
    await converse(child, home, prompt, onLine);
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

export type Told = { type: string; event?: { type: string; data: { item?: string } } };

function converse(child: ChildProcess, cwd: string, prompt: string, onLine: (frame: Told) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tell = (frame: object) => child.stdin?.write(`${JSON.stringify(frame)}\n`);
  child.on("exit", () => reject(new Error("the scripted agent ended before its turn did")));
  child.on("error", reject);
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const frame = JSON.parse(line) as Told;
      if (frame.type === "ready") tell({ type: "prompt", id: "1", text: prompt });
      onLine(frame);
      if (frame.event?.type === "turn.ended") resolve();
    });
  }
  tell({ type: "start", cwd, mode: "full-auto" });
  return promise;
}
