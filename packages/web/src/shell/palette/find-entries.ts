import fuzzysort from "fuzzysort";

/**
 * The groups in their order. Those that only navigate come first, so that Enter in a palette that has just been opened
 * never changes anything.
 */
export const paletteGroups = ["Sessions", "Projects", "Go to", "This session", "Actions"] as const;

/** One line of the palette. */
export type Entry = {
  id: string;
  group: (typeof paletteGroups)[number];
  name: string;
  hint?: string;
  /** The shortcut that does the same. */
  keys?: string;
  run: () => void;
};

const MAX_RESULTS = 40;
const MAX_PER_GROUP: Partial<Record<Entry["group"], number>> = { Sessions: 6, Projects: 4, "Go to": 20 };
const MAX_OTHERS = 8;

/**
 * Entries that match the query by group: the group with the best match first, and in it the best match first. An empty
 * query gives the first few of each group. Pure.
 */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  if (query.trim() === "") return firstOfEachGroup(entries);
  const results = fuzzysort.go(query.trim(), entries, { keys: ["name", "hint"], limit: MAX_RESULTS, threshold: 0.2 });
  const groups = Map.groupBy(
    results.map((result) => result.obj),
    (entry) => entry.group,
  );
  return [...groups.values()].flat();
}

function firstOfEachGroup(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, (entry) => entry.group);
  return paletteGroups.flatMap((group) => groups.get(group)?.slice(0, MAX_PER_GROUP[group] ?? MAX_OTHERS) ?? []);
}
