import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environmentError } from "../program/errors.ts";
import { exitCodes } from "../program/exit-codes.ts";
import { type Daemon, findReady } from "./find.ts";
import { findLockHolder } from "./lock-holder.ts";
import { MALLOC_SETTINGS } from "./malloc-settings.ts";

const READY_MS = 30_000;
const POLL_MS = 40;
const NOTICE_MS = 1800;

/**
 * Starts a daemon in the background and waits until it answers. Two commands may do so at once: the second daemon finds the
 * home folder locked and exits, and both commands use the first. `onWait` is called once when the start takes long.
 * `program` is the command line to start, by default this one.
 */
export async function startInBackground(
  home: string,
  env: Record<string, string | undefined>,
  onWait: (text: string) => void,
  program: readonly string[] = [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
): Promise<Daemon> {
  const log = logPath(home);
  const child = launch(home, env, log, program);
  let exit: number | null | undefined;
  child.once("exit", (code) => {
    exit = code;
  });
  child.once("error", () => {
    exit = null;
  });
  const notice = setTimeout(() => onWait("The daemon is starting."), NOTICE_MS);
  try {
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline) {
      const holder = await findLockHolder(home);
      const daemon = holder && (await findReady(home, holder));
      if (daemon) return daemon;
      if (exit !== undefined && !(exit === exitCodes.environment && holder)) break;
      await delay(POLL_MS);
    }
    throw notReady(log, exit);
  } finally {
    clearTimeout(notice);
    child.unref();
  }
}

/** Waits for a daemon that a supervisor starts. Throws `daemon_not_ready` with this advice if none answers in time. */
export async function waitUntilReady(home: string, remedy: string): Promise<Daemon> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const holder = await findLockHolder(home);
    const daemon = holder && (await findReady(home, holder));
    if (daemon) return daemon;
    await delay(POLL_MS);
  }
  throw environmentError("daemon_not_ready", `The daemon did not get ready within ${READY_MS / 1000} s.`, remedy);
}

/** The log file of a background daemon. */
function logPath(home: string): string {
  return join(home, "logs", "daemon.log");
}

/** Only stderr is logged: the ready line on stdout contains a ticket. */
function launch(
  home: string,
  env: Record<string, string | undefined>,
  log: string,
  [command = "", ...args]: readonly string[],
): ChildProcess {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
    const sink = openSync(log, "a", 0o600);
    return spawn(command, [...args, "serve"], {
      cwd: home,
      detached: true,
      stdio: ["ignore", "ignore", sink],
      env: { ...MALLOC_SETTINGS, ...env, GANTRY_HOME: home },
    });
  } catch (error) {
    throw environmentError(
      "home_unusable",
      `The folder ${home} cannot be used: ${(error as Error).message}`,
      "Make it writable, or set GANTRY_HOME to another folder.",
    );
  }
}

function notReady(log: string, exit: number | null | undefined): Error {
  const how =
    exit === undefined ? `did not get ready within ${READY_MS / 1000} s` : `ended with status ${exit ?? "unknown"}`;
  const tail = lastLines(log, 12);
  const logTail = tail.length > 0 ? `\n${tail.map((line) => `  ${line}`).join("\n")}` : "";
  return environmentError(
    "daemon_not_ready",
    `The daemon ${how}.${logTail}`,
    `See ${log}, or run \`gantry serve\` to watch it start.`,
  );
}

function lastLines(path: string, count: number): string[] {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-count);
  } catch {
    return [];
  }
}
