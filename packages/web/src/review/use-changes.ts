import type { Changes, SessionView, TurnRow } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import type { SelectOption } from "../ui/controls/select.tsx";
import { type Query, useQuery } from "../ui/load/use-query.ts";

/** `session`, `last`, `base`, `head`, `staged`, `unstaged`, or the id of a turn: everything since it. */
export type Scope = string;

const SHOWN_TURNS = 30;

/** `isRunning`: the last turn has not ended. `hasStaged`: the index differs from the last commit. */
export function scopeOptions(
  turns: readonly TurnRow[],
  { isRunning, hasStaged }: { isRunning: boolean; hasStaged: boolean },
): SelectOption[] {
  const since = turns
    .map(({ turn }, index) => ({ value: turn, label: `Since turn ${index + 1}` }))
    .slice(1)
    .slice(-SHOWN_TURNS)
    .reverse();
  return [
    { value: "session", label: "Whole session" },
    { value: "last", label: isRunning ? "This turn" : "Last turn" },
    ...since,
    { value: "base", label: "Against base" },
    { value: "head", label: "Uncommitted" },
    ...(hasStaged
      ? [
          { value: "staged", label: "Staged" },
          { value: "unstaged", label: "Not staged" },
        ]
      : []),
  ];
}

function queryOf(scope: Scope, turns: readonly TurnRow[]): { from: string; to?: string } {
  const last = turns.findLast(({ checkpoint }) => checkpoint.before)?.turn;
  if (scope === "last") return last === undefined ? { from: "base" } : { from: last, to: last };
  if (scope === "staged") return { from: "head", to: "index" };
  return { from: scope === "unstaged" ? "index" : scope };
}

/** `index`: the comparison ends with what is staged, not with a state of the files. */
export type ReviewedChanges = Changes & { turns: readonly TurnRow[]; from: string; index: boolean };

/** What the session changed in a scope. Loads again when a turn starts or ends, and on `reload`. */
export function useChanges(session: SessionView): Query<ReviewedChanges> & {
  scope: Scope;
  setScope: (scope: Scope) => void;
} {
  const [scope, setScope] = useState<Scope>("session");
  const { id, turn, lastTurn } = session;
  const query = useQuery(`${id} ${scope} ${turn?.id} ${lastTurn?.id}`, async () => {
    const listed = client.turns.list(id);
    // Only the last turn needs the list of turns first.
    const { from, to } = queryOf(scope, scope === "last" ? await listed : []);
    const [turns, changes] = await Promise.all([listed, client.changes.list(id, { from, ...(to ? { to } : {}) })]);
    return { ...changes, turns, from, index: to === "index" };
  });
  return { ...query, scope, setScope };
}
