import type { EventData, EventType } from "@gantry/protocol";
import type { DecoderEvent, HistoryEntry, Output } from "../contract.ts";
import { linesOf } from "./line-file.ts";

/**
 * Reads a file of JSON lines as history entries. Calls `line` for each parsed line and `finish` at the end, and yields
 * the collected entries after each call. Unparsable lines are counted and reported in one notice.
 */
export async function* readHistoryLines(path: string, reader: HistoryReader): AsyncGenerator<HistoryEntry> {
  let unread = 0;
  for await (const line of linesOf(path)) {
    const value = line.kind === "line" ? parseJson(line.text) : undefined;
    if (value === undefined) {
      unread++;
      continue;
    }
    reader.line(value);
    for (const past of reader.takeEntries()) yield { ...past, offset: line.end };
  }
  reader.finish();
  yield* reader.takeEntries();
  if (unread > 0) yield { output: unreadNotice(unread) };
}

export interface HistoryReader {
  line(value: unknown): void;
  finish(): void;
  /** Returns and clears the collected entries. */
  takeEntries(): HistoryEntry[];
}

/** Collects a reader's outputs, each with the time of the line read last. */
export class HistoryRecorder {
  at: string | undefined;
  #entries: HistoryEntry[] = [];

  add(...outputs: Output[]): void {
    for (const output of outputs) this.#entries.push(this.at ? { at: this.at, output } : { output });
  }

  event<T extends DecoderEvent & EventType>(type: T, data: EventData<T>): void {
    this.add({ kind: "event", event: { type, data } } as Output);
  }

  notice(kind: string, text: string, severity: "info" | "warning" = "info"): void {
    this.event("notice", { kind, severity, text });
  }

  /** Records an unknown entry unchanged. */
  raw(frame: unknown, reason: string): void {
    this.event("raw", { channel: "history", frame, reason });
  }

  /** Sets the time of the following entries. An invalid time is ignored. */
  time(value: unknown): void {
    this.at = isoTime(value) ?? this.at;
  }

  takeEntries(): HistoryEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/** ISO 8601 time from a string or from milliseconds since the epoch. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 10_000 ? date.toISOString() : undefined;
}

export function unreadNotice(count: number): Output {
  const what = count === 1 ? "One line was" : `${count} lines were`;
  const text = `${what} skipped: damaged or too long.`;
  return { kind: "event", event: { type: "notice", data: { kind: "unread", severity: "warning", text } } };
}

/** A title: the first non-empty line of the first prompt. */
export function titleFrom(text: string | undefined): string | undefined {
  const line = text
    ?.split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "");
  return line ? line.slice(0, 200) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
