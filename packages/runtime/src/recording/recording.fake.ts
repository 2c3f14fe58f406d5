import type { RecordingEntry } from "./recording.ts";

/**
 * For tests: describes items whose deltas do not add up to their final text. A text without any delta counts only if
 * everything is `streamed`.
 */
export function unevenTexts(entries: readonly RecordingEntry[], { streamed }: { streamed: boolean }): string[] {
  const sums = new Map<string, string>();
  const uneven: string[] = [];
  for (const entry of entries) {
    if ("live" in entry) {
      if (entry.type !== "delta") continue;
      const key = `${entry.item} ${entry.channel}`;
      const before = sums.get(key) ?? "";
      if (before.length !== entry.offset) uneven.push(`${key}: offset ${entry.offset} after ${before.length}`);
      sums.set(key, before + entry.text);
      continue;
    }
    if (entry.type !== "message.done" && entry.type !== "reasoning.done") continue;
    const channel = entry.type === "message.done" ? "text" : "reasoning";
    const sum = sums.get(`${entry.data.item} ${channel}`) ?? (streamed ? "" : entry.data.text);
    if (sum !== entry.data.text) uneven.push(`${entry.data.item}: ${JSON.stringify(sum)} is not its text`);
  }
  return uneven;
}
