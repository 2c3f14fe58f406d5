import { freeId } from "./read.ts";

type Loose = Record<string, unknown>;

/**
 * Converts a session of version 1 (a list without ids) or 2 to version 3. Unreadable lines are dropped; the old file
 * still has them. `undefined`: the file has version 3 already, or no header.
 */
export function migrate(text: string): string | undefined {
  const lines = text.split("\n").flatMap(parse);
  const [header, ...entries] = lines;
  if (header?.type !== "session" || Number(header.version ?? 1) >= 3) return undefined;
  const tree = Number(header.version ?? 1) === 1 ? withIds(header, entries) : entries;
  const { provider: _, modelId: __, thinkingLevel: ___, ...rest } = header;
  return [{ ...rest, version: 3 }, ...tree.map(renameFields)].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function withIds(header: Loose, entries: Loose[]): Loose[] {
  const ids = new Map<string, number>();
  const all = [...beginnings(header), ...entries];
  const added = all.length - entries.length;
  for (const [index] of all.entries()) ids.set(freeId(ids), index);
  const order = [...ids.keys()];
  return all.map((entry, index) => {
    const { type, timestamp, firstKeptEntryIndex, ...rest } = entry;
    const placed = { type, id: order[index], parentId: order[index - 1] ?? null, timestamp: time(timestamp), ...rest };
    if (type !== "compaction" || typeof firstKeptEntryIndex !== "number") return placed;
    // The index included the header.
    const first = order[firstKeptEntryIndex - 1 + added] ?? order[index - 1] ?? order[index];
    return { ...placed, firstKeptEntryId: first };
  });
}

/** Entries for the values that version 1 stored in its header. */
function beginnings({ provider, modelId, thinkingLevel, timestamp }: Loose): Loose[] {
  const entries: Loose[] = [];
  if (typeof provider === "string" && typeof modelId === "string") {
    entries.push({ type: "model_change", timestamp, model: `${provider}/${modelId}` });
  }
  if (typeof thinkingLevel === "string") entries.push({ type: "thinking_level_change", timestamp, thinkingLevel });
  return entries;
}

function renameFields(entry: Loose): Loose {
  const message = entry.message as Loose | undefined;
  if (entry.type !== "message" || message?.role !== "hookMessage") return entry;
  return { ...entry, message: { ...message, role: "custom" } };
}

function time(timestamp: unknown): string {
  if (typeof timestamp === "number") return new Date(timestamp).toISOString();
  return typeof timestamp === "string" ? timestamp : new Date(0).toISOString();
}

function parse(line: string): Loose[] {
  if (line.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as Loose] : [];
  } catch {
    return [];
  }
}
