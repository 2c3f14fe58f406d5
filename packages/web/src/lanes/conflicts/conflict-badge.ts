import type { ConflictMatrix } from "@gantry/protocol";

export type ConflictBadge = { tone: "bad" | "need"; text: string; title: string };

/** The conflict of a lane to show: with its base first, then with other lanes. `undefined` if there is none. */
export function conflictBadge(lane: string, conflicts: ConflictMatrix | undefined): ConflictBadge | undefined {
  const own = conflicts?.lanes.find((entry) => entry.lane === lane);
  if (!conflicts || !own) return undefined;
  if (own.state === "conflict") {
    const title = `Conflicts with ${own.base ?? "its base"} in ${own.conflicts.join(", ")}`;
    return { tone: "bad", text: `Conflicts with ${own.base ?? "its base"}`, title };
  }
  const others = conflicts.pairs.filter((pair) => pair.state === "conflict" && (pair.a === lane || pair.b === lane));
  if (others.length === 0) return undefined;
  const names = others.map((pair) => nameOf(conflicts, pair.a === lane ? pair.b : pair.a));
  const title = others.map((pair, index) => `${names[index]}: ${pair.files.join(", ")}`).join("; ");
  return { tone: "need", text: `Conflicts with ${names.length === 1 ? names[0] : `${names.length} lanes`}`, title };
}

function nameOf(conflicts: ConflictMatrix, lane: string): string {
  return conflicts.lanes.find((entry) => entry.lane === lane)?.name ?? lane;
}
