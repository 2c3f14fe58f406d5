import type { Envelope } from "@gantry/protocol";

/** Events with consecutive numbers. */
export type Range = readonly Envelope[];

/** Two ranges as one. What overlaps counts once; what does not touch cannot be joined, and the second alone is left. */
export function joined(before: Range, after: Range): Range {
  const first = after[0]?.seq;
  if (first === undefined) return before;
  const rest = before.filter((event) => event.seq < first);
  const touches = rest.length === 0 || rest.at(-1)?.seq === first - 1;
  return touches ? [...rest, ...after] : after;
}

/** At most `most` events: what is too much goes from the given end. */
export function trimmed(range: Range, most: number, from: "front" | "end"): Range {
  if (range.length <= most) return range;
  return from === "front" ? range.slice(-most) : range.slice(0, most);
}
