import { spawn } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { adoptionCommand, RECORD_ORPHANS } from "./descendants/descendants.ts";
import type { Exit } from "./exit.ts";
import { hasReader } from "./fifo.ts";
import { type Launched, linuxToken, MARKER, startToken } from "./identity.ts";
import { findStarter, StarterGone } from "./starter/starter.ts";
import { reap } from "./stop.ts";

export type LaunchRequest = {
  /** The process's id in the ledger; it marks every descendant. */
  id: string;
  /** An existing folder for `in`, `out`, `err` and `exit`: see spool.ts. */
  dir: string;
  /** A path, or a name to look for in `env.PATH`. */
  bin: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; only the marker is added. */
  env: Readonly<Record<string, string>>;
  stdin: "fifo" | { file: string };
};

export type { Launched } from "./identity.ts";

export type LaunchFailure = {
  code: "missing" | "not_executable" | "bad_cwd" | "failed";
  message: string;
  remedy: string;
};

export type LaunchResult = ({ ok: true } & Launched) | { ok: false; failure: LaunchFailure };

const READY_MS = 5000;
const PENDING_EXIT = "exit.pending";

/** Without a starter, the shell makes the FIFO: a program that the daemon starts costs the daemon far more. */
const MAKE_FIFO = `PATH=/usr/bin:/bin:$PATH mkfifo -m 600 "$input" 2>>"$dir/err" && `;

/**
 * Node opens its files close-on-exec. The shell closes the other descriptors that the daemon inherited, as far as a shell
 * can name them; otherwise an agent would hold a foreign pipe open. The shell survives the signals that end the agent: a
 * handler, unlike an ignored signal, is not inherited. The agent runs in the foreground because a shell makes background
 * commands ignore SIGINT. It runs in a subshell because some shells hold a command's redirections open themselves, which
 * would hide that the agent closed its stdin. The line that it prints before the agent runs is for the starter, which may
 * be gone by then: a handler of SIGPIPE, too, is not inherited. The exit status overwrites existing bytes, so that it can
 * be written on a full disk.
 */
const script = (redirection: "<>" | "<", before = "") => `
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
trap : HUP INT QUIT TERM
dir=$1 input=$2
shift 2
${before}(exec ${redirection}"$input" 3>&1 >>"$dir/out"; trap : PIPE; echo >&3; exec "$@" 2>>"$dir/err" 3>&-)
status=$?
${RECORD_ORPHANS}
PATH=/usr/bin:/bin:$PATH
printf '%03d\\n' "$status" 1<>"$dir/${PENDING_EXIT}" && mv -f "$dir/${PENDING_EXIT}" "$dir/exit"
`;

const SCRIPTS = { fifo: script("<>"), newFifo: script("<>", MAKE_FIFO), file: script("<") };

/**
 * Starts an agent that is independent of the daemon: it has its own session, group and files, and survives the daemon.
 * Resolves when its stdin has a reader or it has already ended. Never rejects. Failures that only appear when the system runs
 * the binary (a missing interpreter, a wrong architecture) are returned later by `startFailure`.
 */
export async function launch(request: LaunchRequest): Promise<LaunchResult> {
  const bin = findBinary(request);
  if ("code" in bin) return { ok: false, failure: bin };
  try {
    const input = request.stdin === "fifo" ? join(request.dir, "in") : request.stdin.file;
    const launched =
      (await startWithStarter(request, bin.path, input)) ?? (await startDirectly(request, bin.path, input));
    return { ok: true, ...launched };
  } catch (error) {
    return { ok: false, failure: toFailure(request, error as NodeJS.ErrnoException) };
  }
}

/**
 * The reason why the binary or its interpreter did not run at all, from the exit status and stderr of an ended process:
 * shells and `env` exit with 126 or 127 and print a message.
 */
export function startFailure(exit: Exit, stdout: string, stderr: string): LaunchFailure | undefined {
  if (stdout.trim() !== "" || (exit.code !== 126 && exit.code !== 127)) return undefined;
  const message = stderr.trim().split("\n")[0] || `it ended with status ${exit.code} and no output`;
  const code = exit.code === 127 ? "missing" : "not_executable";
  return { code, message, remedy: remedies[code] };
}

const remedies: Record<LaunchFailure["code"], string> = {
  missing: "Install the agent, or name its binary. An installed script may also lack its interpreter.",
  not_executable: "Install the agent again: its file cannot be run on this machine.",
  bad_cwd: "Choose a folder that exists and that you may enter.",
  failed: "See the message; then try again.",
};

function failure(code: LaunchFailure["code"], message: string): LaunchFailure {
  return { code, message, remedy: remedies[code] };
}

function toFailure(request: LaunchRequest, error: NodeJS.ErrnoException): LaunchFailure {
  if (error.code === "E2BIG") return failure("failed", `${request.bin}: arguments and environment are too long`);
  return failure("failed", `${request.bin} could not be started: ${error.message}`);
}

function findBinary({ bin, cwd, env }: LaunchRequest): { path: string } | LaunchFailure {
  if (!isFolder(cwd)) return failure("bad_cwd", `${cwd} is not a folder that can be entered`);
  const folders = bin.includes("/") ? [cwd] : (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = folders.map((folder) => resolve(cwd, folder, bin)).filter((path) => existsSync(path));
  if (candidates.length === 0) return failure("missing", `${bin} was not found`);
  const path = candidates.find(isExecutable);
  if (!path) return failure("not_executable", `${candidates[0]} may not be executed`);
  if (!isProgram(path)) return failure("not_executable", `${path} is not a program`);
  return { path };
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const BINARY_MAGIC = ["7f454c46", "cffaedfe", "cefaedfe", "feedfacf", "feedface", "cafebabe", "cafebabf"];

/** A shell interprets any file that the system cannot execute as a shell script, so binary files are refused first. */
function isProgram(path: string): boolean {
  const head = Buffer.alloc(256);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return true; // May be executable without being readable.
  }
  const size = readSync(file, head);
  closeSync(file);
  if (size === 0) return false;
  return BINARY_MAGIC.includes(head.toString("hex", 0, 4)) || !head.subarray(0, size).includes(0);
}

/** The files of a process besides its FIFO. Truncated or created: the folder is new. */
function newFiles(dir: string): Record<string, string> {
  return { [join(dir, "out")]: "", [join(dir, "err")]: "", [join(dir, PENDING_EXIT)]: "---\n" };
}

const shellCommand = (code: string, { dir, args }: LaunchRequest, bin: string, input: string) => [
  ...["/bin/sh", "-c", code, "gantry", dir, input],
  ...[bin, ...args],
];

/** `undefined`: there is no starter on this system, or it ended. Then nothing that it started runs. */
async function startWithStarter(request: LaunchRequest, bin: string, input: string): Promise<Launched | undefined> {
  const { id, dir, cwd, stdin } = request;
  const env = { ...request.env, [MARKER]: id };
  const isFifo = stdin === "fifo";
  const command = shellCommand(isFifo ? SCRIPTS.fifo : SCRIPTS.file, request, bin, input);
  try {
    const started = await findStarter()?.start({
      command,
      cwd,
      env,
      files: newFiles(dir),
      ...(isFifo ? { fifo: input } : {}),
    });
    if (!started) return undefined;
    const { pid, ticks, ready } = started;
    await Promise.race([ready, sleep(READY_MS, undefined, { ref: false })]);
    return { id, pid, pgid: pid, startedAt: linuxToken(ticks), dir };
  } catch (error) {
    if (!(error instanceof StarterGone)) throw error;
    await reap({ id, pgid: 0 });
    rmSync(join(dir, "in"), { force: true });
    return undefined;
  }
}

async function startDirectly(request: LaunchRequest, bin: string, input: string): Promise<Launched> {
  const { id, dir, cwd, env, stdin } = request;
  const code = stdin === "fifo" ? SCRIPTS.newFifo : SCRIPTS.file;
  for (const [path, text] of Object.entries(newFiles(dir))) writeFileSync(path, text, { mode: 0o600 });
  const [command = "", ...rest] = [...adoptionCommand(env), ...shellCommand(code, request, bin, input)];
  const child = spawn(command, rest, {
    cwd,
    env: { ...env, [MARKER]: id },
    detached: true,
    stdio: "ignore",
  });
  // Read synchronously: an ended process is a zombie until the event loop turns.
  const pid = child.pid;
  const startedAt = pid === undefined ? undefined : startToken(pid);
  child.unref();
  await new Promise((done, fail) => {
    child.on("error", fail);
    child.on("spawn", done);
  });
  if (stdin === "fifo") await untilRead(dir, input);
  return { id, pid: pid!, pgid: pid!, startedAt: startedAt ?? "ended", dir };
}

/** Waits until the shell has opened the FIFO. A write before that would find no reader. */
async function untilRead(dir: string, fifo: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline && !hasReader(fifo) && !existsSync(join(dir, "exit"))) await sleep(2);
}
