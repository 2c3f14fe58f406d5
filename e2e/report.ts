import type { Cell } from "./matrix.ts";
import type { Group } from "./scenarios/groups.ts";
import type { Target } from "./target.ts";

const MARKS = { works: "✓", cannot: "–", broken: "✗" } as const;
const WORDS = { works: "ok  ", cannot: "n/a ", broken: "FAIL" } as const;

/** One line for a cell that has just ended. */
export function progressLine({ target, scenario, result, seconds }: Cell, done: number, all: number): string {
  const count = `${String(done).padStart(String(all).length)}/${all}`;
  const time = `${seconds.toFixed(1)} s`.padStart(7);
  return `${WORDS[result]} ${count} ${time}  ${target.name.padEnd(20)} ${scenario.name}`;
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
  const sections = groups.map((group) => section(group, cells, targets));
  return [HEADER, ...sections, cannotList(cells), brokenList(cells)].filter((part) => part !== "").join("\n");
}

const HEADER = `# Compatibility

Made by \`npm run conformance -- --update\`; do not edit. Every cell is a run of the vendor's own program, as it comes
from the package registry, behind a real daemon, against a scripted model on loopback: no account, no network. A cell
passes when the scenario's own checks hold (on the log and on the world, such as the file on disk) and the laws hold:
numbers without gaps, one end for every start, pieces that add up to the text, no frame unknown, no process left.

✓ works · – the agent itself cannot do it, and Gantry says so (see below) · ✗ broken (see below) · blank: does not apply
`;

function section({ title, scenarios }: Group, cells: readonly Cell[], targets: readonly Target[]): string {
  const rows = scenarios.map((scenario) => {
    const marks = targets.map((target) => {
      const cell = cells.find((entry) => entry.target === target && entry.scenario.name === scenario.name);
      return cell ? MARKS[cell.result] : "";
    });
    return `| ${scenario.title} | ${marks.join(" | ")} |`;
  });
  const head = `| ${["", ...targets.map(({ name }) => name)].join(" | ")} |`;
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
