import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { ToolStep } from "./script/step.ts";
import type { FileChange, ToolOutcome } from "./sink.ts";

type Performed = Omit<ToolOutcome, "durationMs">;

/** Executes a tool call. A failure is an outcome, never an exception. */
export async function perform(
  step: ToolStep,
  cwd: string,
  signal: AbortSignal,
  onOutput: (text: string) => void,
): Promise<Performed> {
  try {
    switch (step.do) {
      case "read":
        return { status: "ok", output: readFileSync(inFolder(cwd, step.path), "utf8") };
      case "write":
        return changeFile(cwd, step.path, () => step.content);
      case "edit":
        return changeFile(cwd, step.path, (old) => replaceOnce(old, step.before, step.after));
      case "run":
        return await runCommand(step.command, cwd, signal, onOutput);
    }
  } catch (error) {
    return { status: "error", output: (error as Error).message };
  }
}

/** The effect of a write or edit on its file. `null` if it is unknown. */
export function previewChange(step: ToolStep, cwd: string): FileChange | null {
  if (step.do !== "write" && step.do !== "edit") return null;
  const path = inFolder(cwd, step.path);
  const old = readIfThere(path);
  try {
    const next = step.do === "write" ? step.content : replaceOnce(old ?? "", step.before, step.after);
    return describeChange(cwd, path, old, next);
  } catch {
    return null;
  }
}

export function inFolder(cwd: string, path: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

function changeFile(cwd: string, name: string, next: (old: string) => string): Performed {
  const path = inFolder(cwd, name);
  const old = readIfThere(path);
  const content = next(old ?? "");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const verb = old === null ? "created" : "updated";
  return { status: "ok", output: `File ${verb}: ${path}`, change: describeChange(cwd, path, old, content) };
}

function describeChange(cwd: string, path: string, old: string | null, next: string): FileChange {
  const name = relative(cwd, path);
  const before = old === null ? [] : linesOf(old);
  const after = linesOf(next);
  const header = old === null ? `--- /dev/null\n+++ b/${name}` : `--- a/${name}\n+++ b/${name}`;
  const range = `@@ -${before.length ? 1 : 0},${before.length} +${after.length ? 1 : 0},${after.length} @@`;
  const body = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)].join("\n");
  return {
    path,
    kind: old === null ? "add" : "update",
    additions: after.length,
    deletions: before.length,
    diff: `${header}\n${range}\n${body}\n`,
  };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function replaceOnce(text: string, before: string, after: string): string {
  if (!text.includes(before)) throw new Error(`The text to replace was not found: ${before}`);
  return text.replace(before, () => after);
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function runCommand(command: string, cwd: string, signal: AbortSignal, onOutput: (text: string) => void) {
  return new Promise<Performed>((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (chunk: string) => {
      output += chunk;
      if (!signal.aborted) onOutput(chunk);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take);
    const stop = () => killTree(child.pid);
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", (error) => resolve({ status: "error", output: error.message, exitCode: null }));
    child.on("close", (exitCode) => {
      signal.removeEventListener("abort", stop);
      const status = signal.aborted ? "interrupted" : exitCode === 0 ? "ok" : "error";
      resolve({ status, output, exitCode });
    });
  });
}

/** Kills a command and its children. They share the agent's process group, so the group must not be killed. */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  const children = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" }).stdout ?? "";
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already exited.
  }
  for (const child of children.split("\n").filter(Boolean)) killTree(Number(child));
}
