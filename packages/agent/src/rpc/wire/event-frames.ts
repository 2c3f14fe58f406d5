import { randomBytes } from "node:crypto";
import type { AgentEvent } from "../../contract/events.ts";
import { createEventWire } from "./event-wire.ts";
import { createRuns, type Runs } from "./runs.ts";

type Frame = Record<string, unknown>;

export const PROTOCOL_VERSION = 2;

/** Converts events to frames, in order, and tracks the current run. */
export type EventFrames = { framesOf(event: AgentEvent): Frame[]; readonly runs: Runs };

/**
 * Wraps events in frames. `seq` counts from 1 for each session and resumes when a session becomes current again. The
 * session id is read for each event, so that a frame after a switch never carries the old id.
 */
export function createEventFrames(
  sessionId: () => string,
  { bare = false, full = false }: { bare?: boolean | undefined; full?: boolean | undefined } = {},
): EventFrames {
  const toWire = createEventWire(full);
  const runs = createRuns();
  const run = randomBytes(4).toString("hex");
  const seqs = new Map<string, number>();
  let frames = 0;
  const frameOf = (event: AgentEvent): Frame => {
    const wire = toWire(event);
    if (bare) return wire;
    const id = sessionId();
    const seq = (seqs.get(id) ?? 0) + 1;
    seqs.set(id, seq);
    frames += 1;
    return {
      type: "event",
      protocol_version: PROTOCOL_VERSION,
      session_id: id,
      seq,
      frame_id: `${run}-${frames}`,
      payload: { event_type: wire.type, event: wire },
    };
  };
  return { runs, framesOf: (event) => runs.merge(event).map(frameOf) };
}
