import type { Client } from "@gantry/client";
import type { Envelope, Text } from "@gantry/protocol";
import { z } from "zod";
import { cutText } from "./cut-text.ts";

/** One line of the transcript. `seq` is its position in the session's log and serves as a cursor. */
export const TranscriptEntry = z.object({
  seq: z.number().int(),
  kind: z.enum(["user", "agent", "tool", "input", "turn", "notice", "error"]),
  text: z.string(),
});

export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

/** `older` and `newer` are the cursors of what the page leaves out; absent: there is nothing more. */
export type TranscriptPage = { entries: TranscriptEntry[]; older?: number; newer?: number };

/** The part of the client that reads a log. */
export type LogReader = { sessions: Pick<Client["sessions"], "get" | "events"> };

export type PageRequest = {
  /** Only entries before this position, the last ones first. */
  before?: number;
  /** Only entries after this position, in order. */
  after?: number;
  maxChars: number;
};

const PAGE = 500;
const MOST_OUTPUT = 600;

/**
 * A page of a session's transcript: the end of it, or what is before or after a cursor. Cuts between entries; one entry that
 * alone is longer than the page is shortened with a note.
 */
export function readTranscript(client: LogReader, session: string, request: PageRequest): Promise<TranscriptPage> {
  return request.after === undefined ? readBackwards(client, session, request) : readForwards(client, session, request);
}

async function readBackwards(client: LogReader, session: string, request: PageRequest): Promise<TranscriptPage> {
  const { maxChars } = request;
  let end = request.before ?? (await client.sessions.get(session)).lastSeq + 1;
  const entries: TranscriptEntry[] = [];
  let room = maxChars;
  while (end > 1) {
    const from = Math.max(0, end - 1 - PAGE);
    const { events } = await client.sessions.events(session, { after: from, limit: end - 1 - from });
    const found = entriesOf(events.filter(({ seq }) => seq < end));
    for (const entry of found.toReversed()) {
      if (entry.text.length > room && entries.length > 0) return { entries, older: entries[0]?.seq };
      const shown = { ...entry, text: cutText(entry.text, Math.max(room, 200)) };
      entries.unshift(shown);
      room -= shown.text.length;
    }
    end = from + 1;
  }
  return { entries };
}

async function readForwards(client: LogReader, session: string, request: PageRequest): Promise<TranscriptPage> {
  const { maxChars, after = 0 } = request;
  const entries: TranscriptEntry[] = [];
  let room = maxChars;
  let from = after;
  for (;;) {
    const { events, lastSeq } = await client.sessions.events(session, { after: from, limit: PAGE });
    for (const entry of entriesOf(events)) {
      if (entry.text.length > room && entries.length > 0) return { entries, newer: entries.at(-1)?.seq };
      const shown = { ...entry, text: cutText(entry.text, Math.max(room, 200)) };
      entries.push(shown);
      room -= shown.text.length;
    }
    from = events.at(-1)?.seq ?? lastSeq;
    if (events.length === 0 || from >= lastSeq) return { entries };
  }
}

export function transcriptText({ entries, older, newer }: TranscriptPage): string {
  const lines = entries.map(({ seq, kind, text }) => `[${seq}] ${kind}: ${text}`);
  if (older !== undefined) lines.unshift(`(Older entries are left out: read with before=${older}.)`);
  if (newer !== undefined) lines.push(`(More entries follow: read with after=${newer}.)`);
  return lines.length > 0 ? lines.join("\n\n") : "The transcript is empty.";
}

/** The entries of a run of events, in order. Output of subagents and reasoning is left out. */
export function entriesOf(events: readonly Envelope[]): TranscriptEntry[] {
  const titles = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type === "tool.started") titles.set(event.data.item, event.data.title || event.data.name);
    const [kind, text] = describeEvent(event, titles);
    return kind && text ? [{ seq: event.seq, kind, text }] : [];
  });
}

type Described = [kind?: TranscriptEntry["kind"], text?: string];

function describeEvent(event: Envelope, titles: ReadonlyMap<string, string>): Described {
  switch (event.type) {
    case "message.user":
      return ["user", event.data.author === "user" ? event.data.text : `(${event.data.author}) ${event.data.text}`];
    case "message.done":
      return event.data.parent === undefined ? ["agent", event.data.text] : [];
    case "tool.ended":
      return ["tool", describeTool(event, titles)];
    case "input.requested":
      return ["input", `${event.data.title} (${event.data.kind}, ${event.data.id})`];
    case "input.resolved":
      return ["input", `${event.data.id}: ${event.data.decision}`];
    case "turn.ended":
      return ["turn", describeEnd(event)];
    case "error":
      return ["error", event.data.message];
    case "notice":
      return event.data.severity === "info" ? [] : ["notice", event.data.text];
    case "limit.reached":
      return ["notice", event.data.text ?? "A limit was reached."];
    default:
      return [];
  }
}

function describeTool({ data }: Envelope<"tool.ended">, titles: ReadonlyMap<string, string>): string {
  const output = data.output === undefined ? "" : cutText(textOf(data.output).trim(), MOST_OUTPUT);
  const files = (data.changes ?? []).map(({ path, to }) => to ?? path);
  const changed = files.length > 0 ? ` [${files.slice(0, 10).join(", ")}${files.length > 10 ? ", …" : ""}]` : "";
  return `${titles.get(data.item) ?? "a tool"}: ${data.status}${changed}${output ? `\n${output}` : ""}`;
}

function describeEnd({ data }: Envelope<"turn.ended">): string {
  const cost = data.cost && data.cost.usd > 0 ? `, $${data.cost.usd.toFixed(4)}` : "";
  return `${data.outcome}${cost}${data.error ? `: ${data.error.message}` : ""}`;
}

function textOf(text: Text): string {
  return typeof text === "string" ? text : `${text.head}… (${text.size} bytes) …${text.tail}`;
}
