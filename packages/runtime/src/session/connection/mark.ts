import { closeSync, openSync, readSync } from "node:fs";
import type { OpenItem, SessionView } from "@gantry/protocol";
import type { Agent } from "../../agents/contract.ts";
import { frameOf, type Line, LineSplitter } from "../../framing/lines.ts";
import type { SpoolRow } from "../../log/port.ts";
import { type Context, SessionStep } from "../engine/step.ts";
import type { Talk } from "../exchange.ts";

/** A talk that is larger than this is not stored with every batch. */
const SMALL = 64 * 1024;
const FAR = 1024 * 1024;

type Stored = Pick<Talk, "ready" | "told" | "preface" | "standing" | "parting"> & {
  channel: string;
  state: unknown;
  open: OpenItem[];
};

/** The talk and the open items as text. */
export function markOf(talk: Talk, open: ReadonlyMap<string, OpenItem>): string {
  const { channel, state, ready, told, preface, standing, parting } = talk;
  const items = [...open.values()];
  const kept = { channel: channel.name, state, ready, told, preface, standing, parting, open: items };
  return JSON.stringify(kept satisfies Stored);
}

/**
 * Is it worth storing with a batch that told the agent nothing? A large one is written only when the last is far behind:
 * the spool bridges the distance. A batch with frames always stores it, so that no frame need be replayed.
 */
export function worthStoring(mark: string, offset: number, lastOffset: number): boolean {
  return mark.length <= SMALL || offset - lastOffset >= FAR;
}

export type Restored = { talk: Talk; open: Map<string, OpenItem> };

/**
 * The talk at the byte up to which the log is complete: the last mark, and from there what the agent printed once
 * more. What that meant is in the log already; only the decoder's state and open texts are taken from it.
 * `undefined` when there is no mark that this version can read.
 */
export function restore(
  agent: Agent,
  view: SessionView,
  row: SpoolRow,
  outPath: string,
  limit: number,
): Restored | undefined {
  const stored = row.mark ? (JSON.parse(row.mark) as Stored) : undefined;
  const channel = agent.channels.find((entry) => entry.name === stored?.channel);
  if (!stored || !channel) return undefined;
  const open = new Map(stored.open.map((item) => [`${item.item} ${item.channel}`, item]));
  const step = new SessionStep(view, open, new Set(), { now: () => view.updatedAt } as Context);
  let state = stored.state as never;
  let ready = stored.ready;
  for (const line of linesBetween(outPath, row.markOffset, row.offset, limit)) {
    const [next, outputs] = channel.decode(state, frameOf(line));
    state = next;
    for (const output of outputs) {
      if (output.kind === "ready") ready = true;
      if (output.kind === "delta") step.delta(output.item, output.channel, output.text);
      if (output.kind === "event" && "item" in output.event.data) step.settle(output.event.data.item);
    }
  }
  const { told, preface, parting } = stored;
  return { talk: { channel, state, ready, told, preface, parting, offset: row.offset }, open: step.open };
}

function* linesBetween(path: string, from: number, to: number, limit: number): Generator<Line> {
  if (from >= to) return;
  const splitter = new LineSplitter(limit, from);
  const file = openSync(path, "r");
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
