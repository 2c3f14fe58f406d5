/** A lane as input of the order. `files` are the paths that it changed since its base. */
export type Candidate = {
  lane: string;
  name: string;
  files: readonly string[];
  /** Whether it merges into the base. */
  base: "clean" | "conflict" | "unknown";
};

export type Clash = { a: string; b: string; files: readonly string[] };

export type OrderedLane = {
  lane: string;
  name: string;
  /** With how many of the remaining lanes it conflicts. */
  conflicts: number;
  /** How many of its files the remaining lanes changed as well. */
  shared: number;
  reason: string;
};

/**
 * An order for landing. Each position gets the lane that conflicts with the fewest remaining ones, then the one that
 * shares the fewest files with them, then the smallest, then by name. Lanes that conflict with the base come last,
 * because they must be updated first. Lanes without changes are omitted.
 */
export function landingOrder(candidates: readonly Candidate[], clashes: readonly Clash[]): OrderedLane[] {
  let left = candidates.filter(({ files }) => files.length > 0).sort((x, y) => (x.name < y.name ? -1 : 1));
  const order: OrderedLane[] = [];
  while (left.length > 0) {
    const ranked = left.map((one) => ({ one, ...overlap(one, left, clashes) }));
    ranked.sort(
      (x, y) =>
        Number(x.one.base !== "clean") - Number(y.one.base !== "clean") ||
        x.conflicts.length - y.conflicts.length ||
        x.shared - y.shared ||
        x.one.files.length - y.one.files.length ||
        (x.one.name < y.one.name ? -1 : 1),
    );
    const first = ranked[0];
    if (!first) break;
    const { one, conflicts, shared } = first;
    const reason = reasonOf(one, conflicts, shared, left.length - 1);
    order.push({ lane: one.lane, name: one.name, conflicts: conflicts.length, shared, reason });
    left = left.filter(({ lane }) => lane !== one.lane);
  }
  return order;
}

function overlap(one: Candidate, left: readonly Candidate[], clashes: readonly Clash[]) {
  const others = left.filter(({ lane }) => lane !== one.lane);
  const conflicts = others.filter(({ lane }) => clashes.some((clash) => joins(clash, one.lane, lane)));
  const touched = new Set(others.flatMap(({ files }) => files));
  return { conflicts: conflicts.map(({ name }) => name), shared: one.files.filter((path) => touched.has(path)).length };
}

function joins({ a, b }: Clash, one: string, other: string): boolean {
  return (a === one && b === other) || (a === other && b === one);
}

function reasonOf({ base }: Candidate, conflicts: string[], shared: number, others: number): string {
  if (base === "conflict") return "conflicts with the base: update it first";
  if (base === "unknown") return "could not be compared with the base";
  if (conflicts.length > 0) return `conflicts with ${conflicts.join(", ")}, fewer than the others`;
  if (shared > 0) return `merges with all others, which also changed ${shared} of its files`;
  return others === 0 ? "is the last one left" : "shares no file with the others";
}
