import type { RecordingEntry } from "./recording.ts";

/**
 * For tests: describes items whose deltas do not add up to their final text. A text without any delta counts only if
 * everything is `streamed`.
 */
export function unevenTexts(entries: readonly RecordingEntry[], { streamed }: { streamed: boolean }): string[] {
  const sums = new Map<string, string>();
  /** Streams of earlier turns. An agent may use an item's id again in another turn. */
  const past = new Set<string>();
  const uneven: string[] = [];
  for (const entry of entries) {
    if ("live" in entry) {
      if (entry.type !== "delta") continue;
      const key = `${entry.item} ${entry.channel}`;
      if (past.delete(key) && entry.offset === 0) sums.delete(key);
      const before = sums.get(key) ?? "";
      if (before.length !== entry.offset) uneven.push(`${key}: offset ${entry.offset} after ${before.length}`);
      sums.set(key, before + entry.text);
      continue;
    }
    if (entry.type === "turn.started") for (const key of sums.keys()) past.add(key);
    if (entry.type !== "message.done" && entry.type !== "reasoning.done") continue;
    const channel = entry.type === "message.done" ? "text" : "reasoning";
    const key = `${entry.data.item} ${channel}`;
    const sum = (past.has(key) ? undefined : sums.get(key)) ?? (streamed ? "" : entry.data.text);
    if (sum !== entry.data.text) uneven.push(`${entry.data.item}: ${JSON.stringify(sum)} is not its text`);
  }
  return uneven;
}
