import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

const SECRET_LENGTH = 8;

/** Writes one JSON line to stdout, without the key. Synchronous, so that a line is on disk before the next step. */
export function writeLine(line: Record<string, unknown>): void {
  let rest = Buffer.from(`${redactKey(JSON.stringify(line))}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

/** The SDK's own output would break the protocol on stdout. */
export function sendConsoleToStderr(): void {
  for (const name of ["log", "info", "debug", "warn", "error"] as const) {
    console[name] = (...values: unknown[]) => void process.stderr.write(`${redactKey(values.map(String).join(" "))}\n`);
  }
}

/** Calls `handle` for each JSON line of stdin. Lines that are not JSON are reported and skipped. */
export function readLines(handle: (line: Record<string, unknown>) => void): void {
  createInterface({ input: process.stdin }).on("line", (text) => {
    try {
      handle(JSON.parse(text) as Record<string, unknown>);
    } catch (error) {
      process.stderr.write(`A line was ignored: ${(error as Error).message}\n`);
    }
  });
}

/** What an error of the SDK states. Its classes carry a code and an HTTP status. */
export function describeError(error: unknown): Record<string, unknown> {
  const { name, message, code, status, cause } = Object(error) as Record<string, unknown>;
  const reason = (cause as Error | undefined)?.message;
  const text = [String(message ?? error), reason && !String(message).includes(reason) ? `(${reason})` : ""];
  return { name, message: text.filter(Boolean).join(" "), code, status };
}

function redactKey(text: string): string {
  const key = process.env.CURSOR_API_KEY ?? "";
  return key.length < SECRET_LENGTH ? text : text.replaceAll(key, "[key]");
}
