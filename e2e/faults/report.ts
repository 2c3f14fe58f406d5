import { type HealthFigures, longest } from "./health.ts";
import { type CaseResult, type Promised, promises } from "./run-case.ts";

/** The broken promises of one case, without and with SIGKILL of the daemon. `undefined`: it was not run so. */
export type RecordedCase = {
  name: string;
  outcome: string;
  broken?: Promised[] | undefined;
  brokenAfterKill?: Promised[] | undefined;
};
export type RecordedFaults = { at: string; health: HealthFigures; cases: RecordedCase[] };

/** The results of a run, which may have had only a part of the cases. */
export type FaultRun = { kill: boolean; results: readonly CaseResult[]; health: HealthFigures };

const START = "<!-- faults: start -->";
const END = "<!-- faults: end -->";

const headings: Record<Promised, string> = {
  laws: "laws",
  outcome: "outcome",
  next: "next message",
  orphans: "no orphan",
  health: "no freeze",
  lost: "nothing lost",
  bounds: "bounded",
};

/** Puts the results of runs in place of earlier ones. `names` are all cases, in the order of the table. */
export function recordFaults(
  at: string,
  names: readonly string[],
  runs: readonly FaultRun[],
  earlier?: RecordedFaults,
): RecordedFaults {
  const resultOf = (name: string, kill: boolean) =>
    runs.find((run) => run.kill === kill)?.results.find((result) => result.name === name);
  const cases = names.map((name): RecordedCase => {
    const before = earlier?.cases.find((one) => one.name === name);
    const [calm, killed] = [resultOf(name, false), resultOf(name, true)];
    const outcome = (calm ?? killed)?.outcome.split(" ")[0] ?? "";
    return {
      name,
      outcome: calm || !before ? outcome : before.outcome,
      broken: calm ? brokenOf(calm) : before?.broken,
      brokenAfterKill: killed ? brokenOf(killed) : before?.brokenAfterKill,
    };
  });
  const isComplete = runs.length === 2 && cases.every(({ name }) => resultOf(name, false) && resultOf(name, true));
  const figures = [...runs.map(({ health }) => health), ...(earlier && !isComplete ? [earlier.health] : [])];
  return { at, health: figures.reduce(longest), cases };
}

function brokenOf({ broken }: CaseResult): Promised[] {
  return promises.filter((promise) => broken[promise] !== undefined);
}

/** The table of the page. Deterministic, so that a test can compare it with the file. */
export function faultTable({ at, health, cases }: RecordedFaults): string {
  const held = cases.filter(({ broken, brokenAfterKill }) => broken?.length === 0 && brokenAfterKill?.length === 0);
  const head = ["protocol", "switches", "outcome", ...promises.map((promise) => headings[promise])];
  const rows = cases.map((one) => {
    const [protocol = "", ...rest] = one.name.split(": ");
    const cells = promises.map((promise) => cellOf(one, promise));
    return [protocol, `\`${rest.join(": ").replaceAll("|", "\\|")}\``, one.outcome.replace(":", ": "), ...cells];
  });
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [
    `${held.length} of ${cases.length} cases held every promise (${at}).`,
    `The longest wait for \`/v1/health\` was ${Math.round(health.longestMs)} ms; the idle server's was ${Math.round(health.floorMs)} ms.`,
    "",
    ...table,
  ].join("\n");
}

/** Without a kill, then with one. */
function cellOf({ broken, brokenAfterKill }: RecordedCase, promise: Promised): string {
  const marks = [broken, brokenAfterKill].map((list) => {
    if (!list) return "not run";
    return list.includes(promise) ? "**no**" : "yes";
  });
  return marks.join(" / ");
}

/** Replaces the table in the text of the page. Throws if its markers are missing. */
export function insertFaultTable(text: string, table: string): string {
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`The page has no "${START}" and "${END}".`);
  return `${text.slice(0, before)}${START}\n\n${table}\n\n${text.slice(after)}`;
}
