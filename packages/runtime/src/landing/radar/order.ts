/** A lane as the order sees it: `files` are the paths that it changed since it left the base. */
export type Candidate = {
  lane: string;
  name: string;
  files: readonly string[];
  /** Does it merge into the base as it is? */
  base: "clean" | "conflict" | "unknown";
};

export type Clash = { a: string; b: string; files: readonly string[] };

export type Place = {
  lane: string;
  name: string;
  /** With how many of those that are still to land it conflicts. */
  conflicts: number;
  /** How many of its files others that are still to land changed as well. */
  shared: number;
  reason: string;
};

/**
 * An order in which to land: at each place the lane that stands in the way of the fewest others, then the one that
 * shares the fewest files with them, then the smallest, then by name. What does not merge into the base comes last,
 * for it must be brought up to date first. Lanes without changes have nothing to land and are left out.
 */
export function landingOrder(candidates: readonly Candidate[], clashes: readonly Clash[]): Place[] {
  let left = candidates.filter(({ files }) => files.length > 0).sort((x, y) => (x.name < y.name ? -1 : 1));
  const order: Place[] = [];
  while (left.length > 0) {
    const ranked = left.map((one) => ({ one, ...standing(one, left, clashes) }));
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

function standing(one: Candidate, left: readonly Candidate[], clashes: readonly Clash[]) {
  const others = left.filter(({ lane }) => lane !== one.lane);
  const conflicts = others.filter(({ lane }) => clashes.some((clash) => joins(clash, one.lane, lane)));
  const touched = new Set(others.flatMap(({ files }) => files));
  return { conflicts: conflicts.map(({ name }) => name), shared: one.files.filter((path) => touched.has(path)).length };
}

function joins({ a, b }: Clash, one: string, other: string): boolean {
  return (a === one && b === other) || (a === other && b === one);
}

function reasonOf({ base }: Candidate, conflicts: string[], shared: number, others: number): string {
  if (base === "conflict") return "conflicts with the base: bring it up to date first";
  if (base === "unknown") return "could not be tried against the base";
  if (conflicts.length > 0) return `conflicts with ${conflicts.join(", ")}, fewer than the others`;
  if (shared > 0) return `merges with all others, though ${shared} of its files were changed there too`;
  return others === 0 ? "nothing else is left" : "shares no file with the others";
}
