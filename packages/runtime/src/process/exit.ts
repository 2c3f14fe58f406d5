import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

/** How a process ended: exactly one of the two is set. */
export type Exit = { code: number | null; signal: string | null };

/** Assumed for a process without a recorded exit: SIGKILL is the only signal that its launcher does not survive. */
export const killed: Exit = { code: null, signal: "SIGKILL" };

const STATUS = /^(\d{1,3})\n$/;

/** The exit that the launcher wrote; `undefined` while the process runs, or when the launcher itself was killed. */
export function readExit(dir: string): Exit | undefined {
  let text: string;
  try {
    text = readFileSync(join(dir, "exit"), "latin1");
  } catch {
    return undefined;
  }
  const status = STATUS.exec(text)?.[1];
  return status === undefined ? undefined : exitOf(Number(status));
}

/** A shell reports death by signal n as 128 + n. */
export function exitOf(status: number): Exit {
  const signal = status > 128 ? signalName(status - 128) : undefined;
  return signal ? { code: null, signal } : { code: status, signal: null };
}

function signalName(number: number): string | undefined {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0];
}
