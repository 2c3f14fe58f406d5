import fuzzysort from "fuzzysort";

/** One line of the palette. */
export type Entry = {
  id: string;
  group: "This session" | "Session" | "Go to" | "Action";
  name: string;
  hint?: string;
  run: () => void;
};

const MAX_RESULTS = 40;
const MAX_PER_GROUP = 6;

/** Entries that match the query, best match first. An empty query gives the first few of each group. */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  if (query.trim() === "") return firstOfEachGroup(entries);
  const results = fuzzysort.go(query.trim(), entries, { keys: ["name", "hint"], limit: MAX_RESULTS, threshold: 0.2 });
  return results.map((result) => result.obj);
}

function firstOfEachGroup(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, (entry) => entry.group);
  return [...groups.values()].flatMap((group) => group.slice(0, MAX_PER_GROUP));
}
