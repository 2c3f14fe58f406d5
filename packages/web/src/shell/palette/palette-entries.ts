import { type AgentRow, ladder, type Mode, type SessionView } from "@gantry/protocol";
import fuzzysort from "fuzzysort";

/** One line of the palette. */
export type Entry = {
  id: string;
  group: "This session" | "Session" | "Place" | "Action";
  name: string;
  hint?: string;
  run: () => void;
};

const MOST = 40;
const AT_FIRST = 6;

/** The entries that fit the words, the best first; without words a few of each group. */
export function findEntries(entries: readonly Entry[], words: string): Entry[] {
  if (words.trim() === "") return firstOfEach(entries);
  const found = fuzzysort.go(words.trim(), entries, { keys: ["name", "hint"], limit: MOST, threshold: 0.2 });
  return found.map((result) => result.obj);
}

function firstOfEach(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, (entry) => entry.group);
  return [...groups.values()].flatMap((group) => group.slice(0, AT_FIRST));
}

export type Change = { model?: string; mode?: Mode };

/** What can be changed about the open session: each mode and model that its agent has and that is not in force. */
export function changesOf(session: SessionView, row: AgentRow | undefined): { name: string; change: Change }[] {
  const offered = row?.modes ?? ladder;
  const modes = offered.filter((mode) => mode !== session.mode);
  const models = (row?.models.items ?? []).filter((model) => model.id !== session.model);
  return [
    ...modes.map((mode) => ({ name: `Change mode to ${mode}`, change: { mode } })),
    ...models.map(({ id, name }) => ({ name: `Change model to ${name}`, change: { model: id } })),
  ];
}
