import { type CaseResult, type Promised, promises } from "./run-case.ts";

/** One case, with and without SIGKILL of the daemon in the middle. */
export type RecordedCase = { name: string; outcome: string; broken: Promised[]; brokenAfterKill: Promised[] };
export type RecordedFaults = { at: string; cases: RecordedCase[] };

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

/** Joins the results of the two runs. */
export function recordFaults(at: string, calm: readonly CaseResult[], killed: readonly CaseResult[]): RecordedFaults {
  const cases = calm.map(({ name, outcome, broken }): RecordedCase => {
    const other = killed.find((result) => result.name === name);
    return {
      name,
      outcome: outcome.split(" ")[0] ?? "",
      broken: promises.filter((promise) => broken[promise] !== undefined),
      brokenAfterKill: promises.filter((promise) => other?.broken[promise] !== undefined),
    };
  });
  return { at, cases };
}

/** The table of the page. Deterministic, so that a test can compare it with the file. */
export function faultTable({ at, cases }: RecordedFaults): string {
  const held = cases.filter(({ broken, brokenAfterKill }) => broken.length + brokenAfterKill.length === 0).length;
  const head = ["protocol", "switches", "outcome", ...promises.map((promise) => headings[promise])];
  const rows = cases.map((one) => {
    const [protocol = "", ...rest] = one.name.split(": ");
    const cells = promises.map((promise) => cellOf(one, promise));
    return [protocol, `\`${rest.join(": ").replaceAll("|", "\\|")}\``, one.outcome.replace(":", ": "), ...cells];
  });
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [`${held} of ${cases.length} cases held every promise (${at}).`, "", ...table].join("\n");
}

/** Without a kill, then with one. */
function cellOf({ broken, brokenAfterKill }: RecordedCase, promise: Promised): string {
  const marks = [broken, brokenAfterKill].map((list) => (list.includes(promise) ? "**no**" : "yes"));
  return marks.join(" / ");
}

/** Replaces the table in the text of the page. Throws if its markers are missing. */
export function insertFaultTable(text: string, table: string): string {
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`The page has no "${START}" and "${END}".`);
  return `${text.slice(0, before)}${START}\n\n${table}\n\n${text.slice(after)}`;
}
