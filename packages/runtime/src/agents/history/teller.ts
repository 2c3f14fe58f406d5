import type { EventData, EventType } from "@gantry/protocol";
import type { Output, Past, PlainEvent } from "../contract.ts";
import { linesOf } from "./line-file.ts";

/**
 * Reads a file of JSON lines into outputs. `line` is called for each that could be parsed, `over` after the last; what
 * they hand to `tell` is told in that order. Lines that are no JSON are counted and told by one notice.
 */
export async function* tellLines(path: string, reader: LineReader): AsyncGenerator<Past> {
  let unread = 0;
  for await (const line of linesOf(path)) {
    const value = line.kind === "line" ? parsed(line.text) : undefined;
    if (value === undefined) {
      unread++;
      continue;
    }
    reader.line(value);
    for (const past of reader.told()) yield { ...past, offset: line.end };
  }
  reader.over();
  yield* reader.told();
  if (unread > 0) yield { output: unreadNotice(unread) };
}

export interface LineReader {
  line(value: unknown): void;
  over(): void;
  /** What was told since the last call. */
  told(): Past[];
}

/** Collects what a reader has to tell, with the time of the line that it read last. */
export class Teller {
  at: string | undefined;
  #told: Past[] = [];

  say(...outputs: Output[]): void {
    for (const output of outputs) this.#told.push(this.at ? { at: this.at, output } : { output });
  }

  event<T extends PlainEvent & EventType>(type: T, data: EventData<T>): void {
    this.say({ kind: "event", event: { type, data } } as Output);
  }

  notice(kind: string, text: string, severity: "info" | "warning" = "info"): void {
    this.event("notice", { kind, severity, text });
  }

  /** What nobody knows, kept as it is. */
  raw(frame: unknown, reason: string): void {
    this.event("raw", { channel: "history", frame, reason });
  }

  /** The time of what is read now; one that makes no sense is left out. */
  time(value: unknown): void {
    this.at = isoTime(value) ?? this.at;
  }

  told(): Past[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }
}

/** ISO time of a text or of milliseconds since 1970. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 10_000 ? date.toISOString() : undefined;
}

export function unreadNotice(count: number): Output {
  const what = count === 1 ? "One line was" : `${count} lines were`;
  const text = `${what} left out: damaged, or longer than can be read.`;
  return { kind: "event", event: { type: "notice", data: { kind: "unread", severity: "warning", text } } };
}

/** A title from what was first said: its first line, without what a host put before it. */
export function titleFrom(text: string | undefined): string | undefined {
  const line = text
    ?.split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "");
  return line ? line.slice(0, 200) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
