import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TaskReport = (type: "task.started" | "task.ended", data: Record<string, unknown>) => void;

/** Commands that run on after the turn that started them. They end with the agent, and so do the files with their output. */
export class BackgroundCommands {
  readonly #running = new Map<string, ChildProcess>();
  readonly #stopped = new Set<string>();
  readonly #report: TaskReport;
  #count = 0;
  #folder: string | undefined;

  constructor(report: TaskReport) {
    this.#report = report;
  }

  start(command: string, title: string, item: string, cwd: string): void {
    const task = `job-${process.pid}-${++this.#count}`;
    const file = join(this.#outputs(), `${task}.log`);
    const output = openSync(file, "a", 0o600);
    const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["ignore", output, output] });
    closeSync(output);
    this.#running.set(task, child);
    this.#report("task.started", { task, kind: "command", title, item, file });
    child.on("error", () => this.#end(task, null));
    child.on("exit", (code) => this.#end(task, code));
  }

  /** Does nothing for a command that has ended. */
  stop(task: string): void {
    this.#stopped.add(task);
    this.#running.get(task)?.kill("SIGKILL");
  }

  stopAll(): void {
    for (const task of this.#running.keys()) this.stop(task);
  }

  #outputs(): string {
    if (this.#folder) return this.#folder;
    const folder = mkdtempSync(join(tmpdir(), "gantry-scripted-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    this.#folder = folder;
    return folder;
  }

  #end(task: string, code: number | null): void {
    if (!this.#running.delete(task)) return;
    const status = this.#stopped.delete(task) ? "stopped" : code === 0 ? "ok" : "error";
    this.#report("task.ended", { task, status, ...(code === null ? {} : { exitCode: code }) });
  }
}
