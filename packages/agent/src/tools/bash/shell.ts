import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { removeForbidden, type SandboxProfile, temporaryFolders } from "../../sandbox/profile.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { harmlessVariables, mergeState, NEUTRAL_ENVIRONMENT, neutralState } from "./neutral.ts";
import { OutputSink, type Tail } from "./output.ts";
import { endMarked, signalGroup } from "./process-group.ts";
import { SHELL_SCRIPT } from "./shell-script.ts";
import { type Ended, startProcess } from "./start-process.ts";

export type ShellRun = {
  signal: AbortSignal;
  output?(text: string): void;
  /** For this command only. */
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  pty?: boolean;
  /** The command only reads: it runs in a neutral environment, without the functions and aliases of earlier commands. */
  reads?: boolean;
  /** Without a profile the command runs outside the sandbox. */
  profile?: SandboxProfile;
  /** Does not carry the command's state over to the next command: for commands that run in parallel. */
  apart?: boolean;
};

/** The result of a command. `notes`: information for the model in addition to the output. */
export type ShellOutcome = Tail & {
  exitCode?: number;
  cancelled: boolean;
  timedOut: boolean;
  notes: string[];
  /** The whole output, where `truncated`. May be called once. */
  readWhole(): string;
};

/**
 * The shell of a session. Each command continues with the folder, variables and functions that the last one left. `run`
 * never rejects: a command that cannot be started has the exit code 127. It resolves after all processes of the command
 * have ended; its background processes are killed with it. `dispose` ends all running commands and waits for them.
 */
export interface SessionShell {
  /** The folder of the next command. */
  readonly cwd: string;
  /** The variables that earlier commands left and that a reading command sees. */
  variables(): Record<string, string>;
  run(command: string, options: ShellRun): Promise<ShellOutcome>;
  dispose(): Promise<void>;
}

export type ShellOptions = {
  cwd: string;
  env: Record<string, string>;
  sandbox(): Promise<Sandbox>;
  /** Refuses to run without a sandbox, where a profile asks for one. */
  required?: boolean;
};

const GRACE_MS = 1000;

export function createShell(options: ShellOptions): SessionShell {
  return new Shell(options);
}

class Shell implements SessionShell {
  cwd: string;
  readonly #options: ShellOptions;
  #folder: string | undefined;
  #count = 0;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  #disposed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.cwd = options.cwd;
  }

  variables(): Record<string, string> {
    return harmlessVariables(this.#savedState(), this.#options.env);
  }

  #savedState(): string {
    return (this.#folder === undefined ? undefined : readText(join(this.#folder, "state"))) ?? "";
  }

  async run(command: string, run: ShellRun): Promise<ShellOutcome> {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    // Such as a full disk: neither the script nor the output has a place.
    const describeFailure = (error: Error) =>
      unstartedOutcome(`The command could not be started: ${error.message}`, 127);
    const work = this.#run(command, run, signal).catch(describeFailure);
    this.#running.set(stop, work);
    try {
      return await work;
    } finally {
      this.#running.delete(stop);
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const stop of this.#running.keys()) stop.abort();
    await Promise.allSettled(this.#running.values());
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  async #run(command: string, run: ShellRun, signal: AbortSignal): Promise<ShellOutcome> {
    if (this.#disposed || signal.aborted) return unstartedOutcome("Aborted before the start.");
    const files = this.#files(command);
    const notes: string[] = [];
    const from = this.#startFolder(run, notes);
    const wrapped = await this.#wrap(command, run, files, from);
    if ("refused" in wrapped) return unstartedOutcome(wrapped.refused, 126);
    const mark = `GANTRY_COMMAND=${randomUUID()}`;
    const sink = new OutputSink(files.output, (text) => run.output?.(text));
    const env = this.#environment(run, mark);
    const started = { command: wrapped.command, cwd: from, env, pty: run.pty ?? false };
    const process = await startProcess({ ...started, take: (chunk) => sink.take(chunk) });
    const end = await supervise(process, signal, run.timeoutMs, mark);
    for (const path of run.profile ? removeForbidden(run.profile) : [])
      notes.push(`${path} was moved away: git would run the programs that it names outside the sandbox.`);
    this.#saveState(files, end.stopped !== undefined, run, notes);
    return outcome(end, sink, notes);
  }

  #files(command: string) {
    this.#folder ??= mkdtempSync(join(tmpdir(), "gantry-shell-"));
    const run = join(this.#folder, String(++this.#count));
    mkdirSync(join(run, "tmp"), { recursive: true, mode: 0o700 });
    writeFileSync(join(run, "command"), command, { mode: 0o600 });
    return {
      run,
      state: join(this.#folder, "state"),
      command: join(run, "command"),
      after: join(run, "after"),
      output: `${run}.log`,
    };
  }

  #startFolder(run: ShellRun, notes: string[]): string {
    const wanted = run.cwd ?? this.cwd;
    if (existsSync(wanted)) return wanted;
    notes.push(`${wanted} no longer exists; the command ran in ${this.#options.cwd}.`);
    return this.#options.cwd;
  }

  #environment(run: ShellRun, mark: string): Record<string, string> {
    const [name = "", value = ""] = mark.split("=");
    // The saved state of the last command overrides the environment, so these are exported again after it is loaded.
    const own = { ...(run.reads ? NEUTRAL_ENVIRONMENT : {}), ...run.env };
    const exports = Object.entries(own).map(([key, text]) => `export ${key}='${text.replaceAll("'", `'\\''`)}'`);
    // Not `own` itself: the sandbox is started with this environment, and LD_PRELOAD would run code outside of it.
    return { ...this.#options.env, [name]: value, __gantry_env: exports.join("\n") };
  }

  async #wrap(
    text: string,
    run: ShellRun,
    files: { run: string; state: string; command: string; after: string },
    cwd: string,
  ): Promise<{ command: string[] } | { refused: string }> {
    const neutral = run.reads ? Object.keys(NEUTRAL_ENVIRONMENT) : [];
    const skip = ["GANTRY_COMMAND", ...neutral, ...Object.keys(run.env ?? {})].join(" ");
    const redirect = run.pty ? "" : "exec 2>&1\n";
    const before = run.reads ? join(files.run, "before") : files.state;
    if (run.reads) writeFileSync(before, neutralState(this.#savedState(), this.#options.env), { mode: 0o600 });
    const args = [before, files.after, files.command, skip, cwd];
    const bash = ["bash", "--noprofile", "--norc", "-c", redirect + SHELL_SCRIPT, "bash", ...args];
    if (!run.profile) return { command: bash };
    const sandbox = await this.#options.sandbox();
    if (sandbox.kind === "none") {
      if (this.#options.required) return { refused: `${sandbox.why} The settings require one, so nothing was run.` };
      return { command: bash };
    }
    // In a read-only sandbox programs still need a folder for temporary files.
    const scratch = run.profile.writable.length === 0 ? ["env", `TMPDIR=${join(files.run, "tmp")}`] : [];
    const profile = {
      ...run.profile,
      own: [files.run],
      visible: [...(run.profile.visible ?? []), dirname(files.run), ...namedTemporaryFiles(text)],
      terminal: run.pty ?? false,
    };
    return { command: sandbox.wrap([...scratch, ...bash], profile, cwd) };
  }

  /** Saves the command's state for the next one, unless the command was stopped. */
  #saveState(
    files: { run: string; state: string; after: string },
    stopped: boolean,
    run: ShellRun,
    notes: string[],
  ): void {
    const left = stopped || run.apart ? undefined : readState(files.after);
    if (left) {
      if (run.cwd === undefined) this.cwd = left.cwd;
      const state = run.reads ? mergeState(this.#savedState(), left.state, this.#options.env) : left.state;
      writeFileSync(files.after, state, { mode: 0o600 });
      renameSync(files.after, files.state);
    } else if (stopped && !run.apart) {
      notes.push("The shell was ended with the command; the next command starts from the state before it.");
    }
    rmSync(files.run, { recursive: true, force: true });
  }
}

/** Plain files in the temporary folders that the command names. A person put them there to be read. */
function namedTemporaryFiles(command: string): string[] {
  const named = command.match(/\/[^\s'"`;&|<>()$*?\\]+/g) ?? [];
  return named.filter(
    (path) => isInside(path, temporaryFolders()) && lstatSync(path, { throwIfNoEntry: false })?.isFile(),
  );
}

function readState(file: string): { cwd: string; state: string } | undefined {
  const text = readText(file) ?? "";
  const end = text.indexOf("\0");
  return end > 0 && text.endsWith("# end\n") ? { cwd: text.slice(0, end), state: text.slice(end + 1) } : undefined;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

type Supervised = Ended & { stopped?: "cancelled" | "timeout" };

/** Waits for the end. A stop sends SIGTERM to the group, then SIGKILL. No process of the command survives. */
async function supervise(
  { pid, ended }: { pid: number | undefined; ended: Promise<Ended> },
  signal: AbortSignal,
  timeoutMs: number | undefined,
  mark: string,
): Promise<Supervised> {
  let stopped: Supervised["stopped"];
  let kill: NodeJS.Timeout | undefined;
  const stop = (why: "cancelled" | "timeout") => {
    if (stopped !== undefined || pid === undefined) return;
    stopped = why;
    signalGroup(pid, "SIGTERM");
    kill = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
  };
  const onAbort = () => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), timeoutMs);
  const end = await ended;
  clearTimeout(timer);
  clearTimeout(kill);
  signal.removeEventListener("abort", onAbort);
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
  if (stopped) endMarked(mark);
  return { ...end, ...(stopped && { stopped }) };
}

function outcome(end: Supervised, sink: OutputSink, notes: string[]): ShellOutcome {
  const tail = sink.tail();
  if (!tail.truncated) sink.dispose();
  const failed =
    end.failed === undefined
      ? undefined
      : `${end.failed.includes("ENOENT") ? "bash is not installed: " : ""}${end.failed}`;
  const exitCode = failed !== undefined ? 127 : end.stopped ? undefined : (end.code ?? 128 + signalNumber(end.signal));
  return {
    ...tail,
    ...(failed !== undefined && { output: failed }),
    ...(exitCode !== undefined && { exitCode }),
    cancelled: end.stopped === "cancelled",
    timedOut: end.stopped === "timeout",
    notes,
    readWhole: () => sink.readWhole(),
  };
}

function signalNumber(signal: string | undefined): number {
  const numbers: Record<string, number> = {
    SIGHUP: 1,
    SIGINT: 2,
    SIGQUIT: 3,
    SIGABRT: 6,
    SIGKILL: 9,
    SIGSEGV: 11,
    SIGPIPE: 13,
    SIGTERM: 15,
  };
  return signal === undefined ? 0 : (numbers[signal] ?? (Number(signal) || 0));
}

/** The outcome of a command that did not start. Without an exit code it was cancelled. */
function unstartedOutcome(message: string, exitCode?: number): ShellOutcome {
  const size = { totalLines: 1, totalBytes: message.length, outputLines: 1, outputBytes: message.length };
  const code = exitCode === undefined ? {} : { exitCode };
  return {
    output: message,
    truncated: false,
    ...size,
    ...code,
    cancelled: exitCode === undefined,
    timedOut: false,
    notes: [],
    readWhole: () => message,
  };
}
