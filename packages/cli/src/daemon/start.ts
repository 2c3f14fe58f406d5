import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environmentError } from "../program/errors.ts";
import { exitCodes } from "../program/exit-codes.ts";
import { type Daemon, findDaemon } from "./find.ts";

const READY_MS = 30_000;
const POLL_MS = 40;

/**
 * Starts a daemon in the background and waits until it answers. Two commands at once are no harm: the daemon that comes
 * second finds the home held and leaves, and both commands use the first.
 */
export async function startInBackground(home: string, env: Record<string, string | undefined>): Promise<Daemon> {
  const log = logPath(home);
  const child = launch(home, env, log);
  let exit: number | null | undefined;
  child.once("exit", (code) => {
    exit = code;
  });
  child.once("error", () => {
    exit = null;
  });
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    const daemon = await findDaemon(home);
    if (daemon) {
      child.unref();
      return daemon;
    }
    if (exit !== undefined && exit !== exitCodes.environment) break;
    await delay(POLL_MS);
  }
  child.unref();
  throw notReady(log, exit);
}

/** The log file of a background daemon. */
function logPath(home: string): string {
  return join(home, "logs", "daemon.log");
}

/** Only stderr is logged: the ready line on stdout contains a ticket. */
function launch(home: string, env: Record<string, string | undefined>, log: string): ChildProcess {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
    const sink = openSync(log, "a", 0o600);
    const main = process.argv[1] ?? "";
    return spawn(process.execPath, [...process.execArgv, main, "serve"], {
      cwd: home,
      detached: true,
      stdio: ["ignore", "ignore", sink],
      env: { ...env, GANTRY_HOME: home },
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
