import { readSwitch } from "@gantry/testkit";
import { seededRandom } from "../harness/seeded-random.ts";
import { type FaultCase, nameOf } from "./fault-case.ts";

/** At each stage the first switch that answers wins, so that a second one would have no effect. */
const STAGES = ["initialize", "open", "prompt", "cancel"] as const;

/** Combines two or three of the cases with one switch each. The same seed gives the same combinations. */
export function generateCases(cases: readonly FaultCase[], count: number, seed: number): FaultCase[] {
  const random = seededRandom(seed);
  const singles = cases.filter(({ switches, heavy }) => switches.length === 1 && !heavy);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const found = new Map<string, FaultCase>();
  while (found.size < count) {
    const first = pick(singles);
    const others = singles.filter(({ protocol }) => protocol === first.protocol);
    const parts = [first];
    for (let more = pick([1, 2]); more > 0; more--) {
      const next = pick(others);
      if (parts.every((part) => canCombine(part, next))) parts.push(next);
    }
    const combined = combine(parts);
    if (parts.length > 1) found.set(nameOf(combined), combined);
  }
  return [...found.values()];
}

function canCombine(one: FaultCase, other: FaultCase): boolean {
  const [a, b] = [faultOf(one), faultOf(other)];
  if (a === b || STAGES.some((stage) => a[stage] && b[stage])) return false;
  return !(breaksLines(one) && breaksLines(other));
}

function combine(parts: readonly FaultCase[]): FaultCase {
  // What breaks a line comes first: the others add whole lines around it.
  const ordered = [...parts].sort((a, b) => Number(breaksLines(b)) - Number(breaksLines(a)));
  return {
    protocol: parts[0]!.protocol,
    switches: ordered.flatMap(({ switches }) => switches),
    expect: truthfulOutcomes(parts),
    ...(parts.some(({ stop }) => stop) ? { stop: true } : {}),
  };
}

/** A fault that ends the turn decides the outcome. Among several, the first one that happens does. */
function truthfulOutcomes(parts: readonly FaultCase[]): string[] {
  const deciding = parts.filter(({ expect }) => !expect.includes("completed"));
  const outcomes = new Set(parts.flatMap(({ expect }) => expect));
  if (deciding.length > 0) outcomes.delete("completed");
  // An unreadable line is named as the reason of a later timeout.
  if (outcomes.has("failed:timeout") && parts.some(printsLines)) outcomes.add("failed:protocol");
  return [...outcomes];
}

/** Changes the JSON of a line, so that only one such switch makes sense. */
function breaksLines(one: FaultCase): boolean {
  return ["batch", "broken", "half-line", "bare-cr", "pretty", "doubled"].includes(one.switches[0] ?? "");
}

function printsLines(one: FaultCase): boolean {
  const { group } = readSwitch(one.switches[0] ?? "");
  return group === "lines" || group === "updates";
}

function faultOf(one: FaultCase) {
  return readSwitch(one.switches[0] ?? "").fault;
}
