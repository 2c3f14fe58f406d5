import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Context } from "../context.ts";
import { CommandError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";

export type DecodeFlags = { agent: string; channel?: string; summary: boolean };

/** The unified events of a recording, one JSON a line. No daemon is needed. */
export default async function decode(this: Context, flags: DecodeFlags, capture: string): Promise<void> {
  const recording = capture === "-" ? await text(this.output.streams.input) : readCapture(capture);
  const { decodeRecording, summarise } = await import("@gantry/runtime");
  const decoded = attempt(() =>
    decodeRecording({
      agent: flags.agent,
      channel: flags.channel,
      lines: recording.split("\n").filter((line) => line.trim() !== ""),
      meta: readMeta(capture),
    }),
  );
  if (flags.summary) return this.output.data(summarise(attempt(() => [...decoded])));
  await print(attempt(() => [...decoded]));
}

/** Waits for a slow reader, so that a large recording does not pile up in memory. */
async function print(events: readonly unknown[]): Promise<void> {
  for (const event of events) {
    if (!process.stdout.write(`${JSON.stringify(event)}\n`)) await once(process.stdout, "drain");
  }
}

/** Decoding never fails for what a recording says; what it throws is about the agent or channel that was named. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, remedy } = error as { code?: unknown; remedy?: string };
    if (typeof code !== "string") throw error;
    throw new CommandError(exitCodes.usage, code, (error as Error).message, { remedy });
  }
}

function readCapture(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** What was noted beside a recording, `<capture>.meta.json`, where there is any. */
function readMeta(capture: string): unknown {
  if (capture === "-") return undefined;
  for (const path of [`${capture}.meta.json`, capture.replace(/\.jsonl$/, ".meta.json")]) {
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch {}
  }
  return undefined;
}
