import type { Frame } from "@gantry/client";
import { type Delta, type Envelope, EnvelopeSchema, pairs } from "@gantry/protocol";

/**
 * Checks the laws of every log, independent of the agent: sequence numbers without gaps, events that match their schemas,
 * one end for every start, no frame that the decoder did not know. Returns one line per breach.
 */
export function findBreaches(log: readonly Envelope[]): string[] {
  return [...checkNumbering(log), ...shapes(log), ...endings(log), ...unknowns(log)];
}

/** Checks a stream that was followed from the start: its events equal the log, and its deltas add up to the final texts. */
export function findStreamBreaches(frames: readonly Frame[], log: readonly Envelope[]): string[] {
  const streamed = frames.flatMap((frame) => ("event" in frame ? [frame.event] : []));
  const received = streamed.map((event) => JSON.stringify(event)).join("\n");
  const stored = log.map((event) => JSON.stringify(event)).join("\n");
  const same =
    received === stored ? [] : [`the stream's ${streamed.length} events differ from the log's ${log.length}`];
  return [...same, ...sums(frames)];
}

/**
 * The deltas of every streamed item must add up to its final text. A snapshot resets the sum: it holds the text of the
 * open items so far, because deltas that were sent while the client was disconnected are lost.
 */
function sums(frames: readonly Frame[]): string[] {
  let texts = new Map<string, string>();
  const wrong: string[] = [];
  for (const [index, frame] of frames.entries()) {
    if ("live" in frame && frame.live.type === "delta") wrong.push(...add(texts, frame.live));
    if ("snapshot" in frame) texts = new Map(frame.snapshot.open.map(({ item, text }) => [item, text]));
    if (!("event" in frame)) continue;
    const { type, data } = frame.event;
    if (type !== "message.done" && type !== "reasoning.done") continue;
    const pieces = texts.get(data.item);
    const missed = isReplayed(frames, index) && pieces !== undefined && data.text.startsWith(pieces);
    if (pieces !== undefined && pieces !== data.text && !missed) {
      wrong.push(`the deltas of ${data.item} are ${preview(pieces)}, its text is ${preview(data.text)}`);
    }
  }
  return wrong;
}

/** Events right before a snapshot were fetched after a reconnect. */
function isReplayed(frames: readonly Frame[], index: number): boolean {
  const next = frames.slice(index).find((frame) => !("event" in frame));
  return next !== undefined && "snapshot" in next;
}

function add(texts: Map<string, string>, { item, channel, offset, text }: Delta): string[] {
  if (channel !== "text" && channel !== "reasoning") return [];
  const before = texts.get(item) ?? "";
  texts.set(item, before + text);
  return before.length === offset ? [] : [`a delta of ${item} has offset ${offset}, expected ${before.length}`];
}

function checkNumbering(log: readonly Envelope[]): string[] {
  const wrong = log.findIndex((event, index) => event.seq !== index + 1);
  return wrong < 0 ? [] : [`event number ${wrong + 1} has seq ${log[wrong]?.seq}`];
}

function shapes(log: readonly Envelope[]): string[] {
  return log.flatMap((event) => {
    const { error } = EnvelopeSchema.safeParse(event);
    return error ? [`${event.type} (${event.seq}) does not match its schema: ${error.issues[0]?.message}`] : [];
  });
}

function endings(log: readonly Envelope[]): string[] {
  return pairs.flatMap(({ start, end, key }) => {
    const open = new Map<string, number>();
    const wrong: string[] = [];
    for (const event of log) {
      if (event.type !== start && event.type !== end) continue;
      const id = String(key === "turn" ? event.turn : (event.data as Record<string, unknown>)[key]);
      const change = event.type === start ? 1 : -1;
      const count = (open.get(id) ?? 0) + change;
      if (count !== 0 && count !== 1) wrong.push(`${event.type} of ${id} (${event.seq}) has no counterpart`);
      open.set(id, count);
    }
    const left = [...open].filter(([, count]) => count === 1).map(([id]) => `${start} of ${id} was never ended`);
    return [...wrong, ...left];
  });
}

function unknowns(log: readonly Envelope[]): string[] {
  return log.flatMap((event) =>
    event.type === "raw" ? [`raw (${event.data.reason}): ${preview(event.data.frame)}`] : [],
  );
}

/** Every turn that the agent completed must report its usage. */
export function findUnbilledTurns(log: readonly Envelope[]): string[] {
  return log.flatMap((event) => {
    if (event.type !== "turn.ended" || event.data.outcome !== "completed" || event.synthetic) return [];
    return event.data.usage?.input ? [] : [`the completed turn ${event.turn} has no usage`];
  });
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length})` : text;
}
