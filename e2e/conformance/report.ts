import type { Target } from "../targets/target.ts";
import type { Group } from "./groups.ts";
import type { Cell } from "./matrix.ts";

const MARKS = { works: "✓", cannot: "–", broken: "✗" } as const;
const WORDS = { works: "ok  ", cannot: "n/a ", broken: "FAIL" } as const;

/** One line for a cell that has just ended. */
export function progressLine(cell: Cell, done: number, all: number): string {
  const { target, scenario, result, seconds, retried } = cell;
  const count = `${String(done).padStart(String(all).length)}/${all}`;
  const time = `${seconds.toFixed(1)} s`.padStart(7);
  const again = retried ? ` (tried again after: ${inShort(retried)})` : "";
  return `${WORDS[result]} ${count} ${time}  ${target.name.padEnd(20)} ${scenario.name}${again}`;
}

/** What broke, with what a person needs to find out why. */
export function failureText(cells: readonly Cell[]): string {
  const broken = cells.filter(({ result }) => result === "broken");
  const parts = broken.map(
    ({ target, scenario, problem, details }) => `✗ ${target.name}, ${scenario.name}: ${problem}\n${details}\n`,
  );
  return parts.join("\n");
}

/** The published table. The same results give the same text, so that it can be compared. */
export function compatibilityTable(
  cells: readonly Cell[],
  groups: readonly Group[],
  targets: readonly Target[],
): string {
  const own = cells.filter(({ target }) => targets.includes(target));
  const heads = headsOf(targets);
  const sections = groups.map((group) => section(group, own, targets, heads));
  const parts = [
    HEADER,
    legend(own, targets, heads),
    fakes(targets, heads),
    ...sections,
    cannotList(own),
    brokenList(own),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

const HEADER = `# Compatibility

Made by \`npm run conformance -- --update\`; do not edit. Every cell is a run of the vendor's own program, as it comes
from the package registry, behind a real daemon, against a scripted model on loopback: no account, no network. Columns
that say \`fake\` are the exception: there the program is one of ours that speaks the agent's protocol. A cell passes
when the scenario's own checks hold (on the log and on the world, such as the file on disk) and the laws hold: numbers
without gaps, one end for every start, pieces that add up to the text, no frame unknown, no process left.

✓ works · – the agent itself cannot do it, and Gantry says so (see below) · ✗ broken (see below) · blank: does not apply
`;

type Heads = ReadonlyMap<Target, string>;

/** The heads of the columns: the agent's id, a number for its further versions, and what is no program of the vendor's. */
function headsOf(targets: readonly Target[]): Heads {
  const seen = new Map<string, number>();
  return new Map(
    targets.map((target) => {
      const count = (seen.get(target.agent) ?? 0) + 1;
      seen.set(target.agent, count);
      const marks = [...(count > 1 ? [String(count)] : []), ...(target.fake ? ["fake"] : [])];
      return [target, marks.length > 0 ? `${target.agent} (${marks.join(", ")})` : target.agent];
    }),
  );
}

/** What every column is, and how it went in all. */
function legend(cells: readonly Cell[], targets: readonly Target[], heads: Heads): string {
  const rows = targets.map((target) => {
    const own = cells.filter((cell) => cell.target === target);
    const count = (result: Cell["result"]) => own.filter((cell) => cell.result === result).length;
    const theirs = target.fakeService ? "the vendor's; its service a fake" : "the vendor's";
    const program = target.own ? "ours" : target.fake ? "a fake" : theirs;
    const figures = [count("works"), count("cannot"), count("broken")];
    return `| ${[heads.get(target), target.name, program, ...figures].join(" | ")} |`;
  });
  const head = "| column | agent and version | program | ✓ | – | ✗ |";
  return ["## Agents", "", head, "|---|---|---|--:|--:|--:|", ...rows, ""].join("\n");
}

/** Columns whose program is ours, and what it was made from. */
function fakes(targets: readonly Target[], heads: Heads): string {
  const lines = targets.flatMap((target) => (target.fake ? [`- ${heads.get(target)}: ${target.fake.from}`] : []));
  const about = "These agents' own programs cannot be had here, so the columns show that Gantry does right by what is";
  const more = "known of their protocols, not that the programs keep to it. What each fake was made from:";
  return lines.length > 0 ? ["## Fakes", "", about, more, "", ...lines, ""].join("\n") : "";
}

function section(
  { title, scenarios }: Group,
  cells: readonly Cell[],
  targets: readonly Target[],
  heads: Heads,
): string {
  const rows = scenarios.map((scenario) => {
    const marks = targets.map((target) => {
      const cell = cells.find((entry) => entry.target === target && entry.scenario.name === scenario.name);
      return cell ? MARKS[cell.result] : "";
    });
    return `| ${scenario.title} | ${marks.join(" | ")} |`;
  });
  const head = `| ${["", ...targets.map((target) => heads.get(target))].join(" | ")} |`;
  const rule = `|---|${targets.map(() => ":-:|").join("")}`;
  return [`## ${title}`, "", head, rule, ...rows, ""].join("\n");
}

function cannotList(cells: readonly Cell[]): string {
  const lines = cells
    .filter(({ result }) => result === "cannot")
    .map(({ target, scenario }) => `- ${target.name}, ${scenario.title}: ${target.cannot[scenario.name]}`);
  return lines.length > 0 ? ["## What the agents themselves cannot do", "", ...lines, ""].join("\n") : "";
}

function brokenList(cells: readonly Cell[]): string {
  const lines = cells
    .filter(({ result }) => result === "broken")
    .map(({ target, scenario, problem }) => `- ${target.name}, ${scenario.title}: ${inShort(problem ?? "")}`);
  const list = lines.length > 0 ? lines : ["Nothing that is known."];
  return ["## Broken", "", ...list, ""].join("\n");
}

function inShort(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 200);
}
