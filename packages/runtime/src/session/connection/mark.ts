import { closeSync, openSync, readSync } from "node:fs";
import type { Draft, SessionView } from "@gantry/protocol";
import type { Agent, DecoderEvent } from "../../agents/contract.ts";
import { type Line, LineSplitter } from "../../framing/lines.ts";
import type { SpoolRow } from "../../log/port.ts";
import { durableDeadlines, withoutProgressDeadlines } from "../engine/deadlines.ts";
import { isProgress } from "../engine/outputs.ts";
import {
  type Conversation,
  type Deadlines,
  type EngineContext,
  type FirstOutput,
  initialState,
  type StreamingItem,
} from "../engine/state.ts";
import { SessionStep } from "../engine/step.ts";
import { tryDecode } from "./end-process.ts";

/** A mark above this size is not stored with every batch. */
const SMALL_MARK = 64 * 1024;
/** A large mark is stored again after this many bytes of output. */
const LARGE_MARK_INTERVAL = 1024 * 1024;

/** The fields of a conversation that the mark stores. */
const STORED = [
  "ready",
  "prompted",
  "preface",
  "pinnedHash",
  "closing",
  "unread",
  "rawCount",
  "complaint",
] as const satisfies (keyof Conversation)[];

/** The resume point of a decoder, as stored. */
type StoredMark = Pick<Conversation, (typeof STORED)[number]> & {
  version: typeof VERSION;
  channel: string;
  state: unknown;
  open: StreamingItem[];
  deadlines: Deadlines;
  firstOutput?: FirstOutput;
};

/** The version of the field names in a mark. An earlier daemon's marks have none, and its agents may still run. */
const VERSION = 2;

/** Conversation, open items and deadlines as text. */
export function encodeMark(
  conversation: Conversation,
  open: ReadonlyMap<string, StreamingItem>,
  deadlines: Deadlines = {},
  firstOutput?: FirstOutput,
): string {
  const { channel, state, offset: _, unfinished: __, ...rest } = conversation;
  const mark: StoredMark = {
    version: VERSION,
    channel: channel.name,
    state,
    ...rest,
    open: [...open.values()],
    deadlines: durableDeadlines(deadlines),
    firstOutput,
  };
  return JSON.stringify(mark);
}

function decodeMark(text: string): StoredMark {
  const mark = JSON.parse(text) as StoredMark;
  return mark.version === VERSION ? mark : (JSON.parse(text, renameField) as StoredMark);
}

/** A reviver that gives the fields of an earlier mark their current names, in the decoder's state too. */
function renameField(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const name = currentName(this, key, value);
  if (name === key) return value;
  this[name] = value;
  return undefined;
}

function currentName(holder: Record<string, unknown>, key: string, value: unknown): string {
  if (key === "said") return typeof value === "string" ? "reply" : "hasOutput"; // prose-ignore: a field of earlier marks
  if (key === "heard") return "received"; // prose-ignore: a field of earlier marks
  if (key === "kept") return "data"; // prose-ignore: a field of earlier marks
  if (key === "standing") return "pinnedHash";
  if (key === "parting") return "closing";
  if (key !== "told") return key; // prose-ignore: a field of earlier marks
  if (Array.isArray(value)) return "prompted";
  if (typeof value === "object") return "published";
  return "name" in holder ? "hasInput" : "sentReasons";
}

/**
 * Should the mark be stored with a batch that sent no frame? A large mark is stored only when the last one is far behind:
 * the spool bridges the distance. A batch with frames always stores its mark, so that no frame is replayed.
 */
export function isWorthStoring(mark: string, offset: number, lastOffset: number): boolean {
  return mark.length <= SMALL_MARK || offset - lastOffset >= LARGE_MARK_INTERVAL;
}

export type Restored = {
  conversation: Conversation;
  open: ReadonlyMap<string, StreamingItem>;
  deadlines: Deadlines;
  firstOutput?: FirstOutput;
};

/**
 * The conversation at the byte up to which the log is complete: the last mark, and the output after it decoded again. The
 * events of that output are in the log already; only the decoder's state, open texts and deadlines are taken from it.
 * `undefined` without a mark that this version can read.
 */
export function restoreConversation(
  agent: Agent,
  view: SessionView,
  row: SpoolRow,
  outPath: string,
  lineLimit: number,
): Restored | undefined {
  const mark = readMark(row);
  const channel = agent.channels.find((entry) => entry.name === mark?.channel);
  if (!mark || !channel) return undefined;
  const open = new Map(mark.open.map((item) => [`${item.item} ${item.channel}`, item]));
  const step = new SessionStep({ ...initialState(view), open }, { now: () => view.updatedAt } as EngineContext);
  let { deadlines = {} } = mark;
  let state = mark.state as never;
  let { ready } = mark;
  for (const line of linesBetween(outPath, row.markOffset, row.offset, lineLimit)) {
    const decoded = tryDecode(channel, state, line);
    // It was quarantined.
    if (!decoded) continue;
    const [next, outputs] = decoded;
    state = next as never;
    for (const output of outputs) {
      if (output.kind === "ready") ready = true;
      if (output.kind === "delta") step.delta(output.item, output.channel, output.text);
      const item = output.kind === "event" ? endedItem(output.event) : undefined;
      if (item !== undefined) step.closeItem(item);
      if (isProgress(output)) deadlines = withoutProgressDeadlines(deadlines);
    }
  }
  const stored = Object.fromEntries(STORED.map((field) => [field, mark[field]])) as Pick<
    StoredMark,
    (typeof STORED)[number]
  >;
  const conversation: Conversation = { ...stored, channel, state, ready, offset: row.offset };
  return { conversation, open: step.open, deadlines, firstOutput: mark.firstOutput };
}

/** A task names the tool call that started it, which may still be open. */
function endedItem({ type, data }: Draft<DecoderEvent>): string | undefined {
  return "item" in data && !type.startsWith("task.") ? data.item : undefined;
}

function readMark({ mark }: SpoolRow): StoredMark | undefined {
  try {
    return mark ? decodeMark(mark) : undefined;
  } catch {
    return undefined;
  }
}

function* linesBetween(path: string, from: number, to: number, limit: number): Generator<Line> {
  if (from >= to) return;
  const splitter = new LineSplitter(limit, from);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Another program deleted it. The tail reports that.
    return;
  }
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (let at = from; at < to; ) {
      const count = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
      if (count === 0) return;
      at += count;
      yield* splitter.push(buffer.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}
