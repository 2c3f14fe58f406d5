import type { Envelope } from "@gantry/protocol";

/** Events with consecutive numbers. */
export type Range = readonly Envelope[];

/** Joins two ranges; overlapping events count once. If there is a gap between them, only the second is returned. */
export function joinRanges(before: Range, after: Range): Range {
  const first = after[0]?.seq;
  if (first === undefined) return before;
  const rest = before.filter((event) => event.seq < first);
  const touches = rest.length === 0 || rest.at(-1)?.seq === first - 1;
  return touches ? [...rest, ...after] : after;
}

/** Limits a range to `max` events by dropping events from the given end. */
export function trimRange(range: Range, max: number, from: "front" | "end"): Range {
  if (range.length <= max) return range;
  return from === "front" ? range.slice(-max) : range.slice(0, max);
}
