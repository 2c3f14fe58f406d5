import type { Line } from "../../../framing/lines.ts";

/** The session that receives lines. `apply` and `quarantine` are synchronous and change nothing if they throw. */
export type LineReceiver = {
  /** The byte up to which lines were received. */
  offset(): number;
  apply(lines: readonly Line[], end: number): void;
  /** Records that a line cannot be processed, and continues after it. */
  quarantine(line: Line, end: number, reason: string): void;
  log(text: string): void;
};

/**
 * Delivers lines in one step. If one of them makes the step fail, each is delivered in a separate step and those that
 * fail alone are quarantined, so that no line stops the reader. Throws only for errors that are not the lines' fault,
 * such as a full disk: the caller delivers the same lines again, and those that were received are skipped.
 */
export function deliverLines(receiver: LineReceiver, lines: readonly Line[], end: number): void {
  const left = lines.filter((line) => line.end > receiver.offset());
  if (left.length === 0) return;
  if (attempt(receiver, end, () => receiver.apply(left, end)) === undefined) return;
  for (const [index, line] of left.entries()) {
    const to = index === left.length - 1 ? end : line.end;
    const error = attempt(receiver, to, () => receiver.apply([line], to));
    if (!error) continue;
    receiver.log(`a line of ${sizeOf(line)} bytes cannot be processed: ${error.stack ?? error}`);
    receiver.quarantine(line, to, `could not be processed: ${error.name}`);
  }
}

/** The error that the lines caused. `undefined`: they were received, although a later effect may have failed. */
function attempt(receiver: LineReceiver, end: number, action: () => void): Error | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (isEnvironmental(error)) throw error;
    if (receiver.offset() < end) return error as Error;
    receiver.log(`after a step: ${(error as Error).stack ?? error}`);
    return undefined;
  }
}

/** Errors of the database that a value causes: it is too big, breaks a constraint, or has the wrong type. */
const VALUE_ERRORS = [18, 19, 20];

/**
 * Whether the system or the database caused an error, so that the same step can succeed later. Other errors with a code,
 * such as ERR_INVALID_URL of Node, come from the code that processed the line.
 */
export function isEnvironmental(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // The low byte is the code without its extension.
  if (typeof errcode === "number") return !VALUE_ERRORS.includes(errcode & 0xff);
  return typeof code === "string" && (STORE_ERRORS.includes(code) || /^E[A-Z0-9]+$/.test(code));
}

/** Errors of the store, and of one that was closed. */
const STORE_ERRORS = ["storage_full", "unavailable", "ERR_INVALID_STATE"];

function sizeOf(line: Line): number {
  return line.kind === "line" ? Buffer.byteLength(line.text) : line.size;
}
