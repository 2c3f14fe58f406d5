import { isBroken, isHeld, type Result, type SuiteResult } from "./run-suite.ts";

/** Counts of one class of attacks. */
export type ClassRow = { class: string; attacks: number; held: number; skipped: number };
/** One part of the suite against Gantry, and the same classes against the peers. */
export type RecordedPart = { suite: string; about: string; rows: ClassRow[]; peers: Record<string, ClassRow[]> };
export type RecordedRun = { at: string; parts: RecordedPart[] };

const START = "<!-- hostile: start -->";
const END = "<!-- hostile: end -->";

/** The line of one attack. */
export function resultLine({ name, class: group, outcome }: Result): string {
  const mark = isHeld(outcome) ? "held   " : isBroken(outcome) ? "BROKEN " : "skipped";
  const why = "effect" in outcome ? `: ${outcome.effect}` : "skipped" in outcome ? `: ${outcome.skipped}` : "";
  return `${mark}  ${group.padEnd(28)} ${name.replace(/\s+/g, " ").slice(0, 100)}${why}`;
}

export function countClasses(results: readonly Result[]): ClassRow[] {
  const classes = [...new Set(results.map((result) => result.class))];
  return classes.map((name) => {
    const own = results.filter((result) => result.class === name);
    const held = own.filter(({ outcome }) => isHeld(outcome)).length;
    const skipped = own.filter(({ outcome }) => "skipped" in outcome).length;
    return { class: name, attacks: own.length, held, skipped };
  });
}

export function recordPart(result: SuiteResult, peers: readonly SuiteResult[]): RecordedPart {
  const columns = peers.map((peer): [string, ClassRow[]] => [peer.suite, countClasses(peer.results)]);
  return {
    suite: result.suite,
    about: result.about,
    rows: countClasses(result.results),
    peers: Object.fromEntries(columns),
  };
}

/** The table of SECURITY.md. It is deterministic, so a test can compare it with the file. */
export function securityTable({ at, parts }: RecordedRun): string {
  const peers = [...new Set(parts.flatMap((part) => Object.keys(part.peers)))];
  const head = ["part", "class of attack", "Gantry", ...peers];
  const rows = parts.flatMap((part) =>
    part.rows.map((row) => {
      const others = peers.map((peer) => share(part.peers[peer]?.find(({ class: name }) => name === row.class)));
      return [part.suite, row.class, share(row), ...others];
    }),
  );
  const totals = parts.map(({ suite, about, rows: own }) => `- **${suite}**: ${total(own)}. ${about}`);
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [`Attacks held, of those that were run (${at}):`, "", ...totals, "", ...table].join("\n");
}

function share(row: ClassRow | undefined): string {
  if (!row) return "–";
  const run = row.attacks - row.skipped;
  const skipped = row.skipped > 0 ? `, ${row.skipped} skipped` : "";
  return `${row.held} of ${run}${skipped}`;
}

function total(rows: readonly ClassRow[]): string {
  const sum = (pick: (row: ClassRow) => number) => rows.reduce((all, row) => all + pick(row), 0);
  const run = sum(({ attacks }) => attacks) - sum(({ skipped }) => skipped);
  return `${sum(({ held }) => held)} of ${run} held`;
}

/** Replaces the table in the text of SECURITY.md. Throws if its markers are missing. */
export function insertTable(text: string, table: string): string {
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`SECURITY.md has no "${START}" and "${END}".`);
  return `${text.slice(0, before)}${START}\n\n${table}\n\n${text.slice(after)}`;
}
