import type { ConflictMatrix } from "@gantry/protocol";

export type ConflictWords = { tone: "bad" | "need"; text: string; title: string };

/** What stands in a lane's way: its base first, then other lanes. Nothing where nothing does. */
export function conflictWords(lane: string, radar: ConflictMatrix | undefined): ConflictWords | undefined {
  const own = radar?.lanes.find((entry) => entry.lane === lane);
  if (!radar || !own) return undefined;
  if (own.state === "conflict") {
    const title = `It cannot be joined with ${own.base ?? "its base"} in: ${own.conflicts.join(", ")}`;
    return { tone: "bad", text: `conflicts with ${own.base ?? "its base"}`, title };
  }
  const others = radar.pairs.filter((pair) => pair.state === "conflict" && (pair.a === lane || pair.b === lane));
  if (others.length === 0) return undefined;
  const names = others.map((pair) => nameOf(radar, pair.a === lane ? pair.b : pair.a));
  const title = others.map((pair, index) => `${names[index]}: ${pair.files.join(", ")}`).join("; ");
  return { tone: "need", text: `conflicts with ${names.length === 1 ? names[0] : `${names.length} lanes`}`, title };
}

function nameOf(radar: ConflictMatrix, lane: string): string {
  return radar.lanes.find((entry) => entry.lane === lane)?.name ?? lane;
}
