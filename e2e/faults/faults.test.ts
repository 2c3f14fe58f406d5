import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LINUX, needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { faultCases } from "./cases.ts";
import { nameOf } from "./fault-case.ts";
import { generateCases } from "./generate-cases.ts";
import { faultTable, insertFaultTable, type RecordedFaults } from "./report.ts";
import { runCases } from "./run-cases.ts";

/** One case of each mechanism. `npm run faults` runs all. */
const SAMPLE = [
  "acp: prompt-late-twice",
  "acp: new-id:7",
  "acp: deep-tool",
  "acp: broken",
  "acp: child-many",
  "acp: close-stdin",
  "acp: cancel-exit",
  "gantry: reply-unknown",
  "acp: noise + tool-open:500 + child-many + pause:800 + exit:9",
];

describe("a misbehaving agent", () => {
  it.each([false, true])("breaks no promise (SIGKILL of the daemon: %s)", needs(LINUX), async (kill) => {
    const sample = faultCases.filter((one) => SAMPLE.includes(nameOf(one)));
    expect(sample).toHaveLength(SAMPLE.length);
    const { results } = await runCases(sample, { kill, parallel: SAMPLE.length });
    expect(results.filter(({ broken }) => Object.keys(broken).length > 0)).toEqual([]);
  });
});

it("generates the same combinations of two or three switches for the same seed", () => {
  const generated = generateCases(faultCases, 40, 7);
  expect(generated).toEqual(generateCases(faultCases, 40, 7));
  expect(generated).not.toEqual(generateCases(faultCases, 40, 8));
  expect(new Set(generated.map(nameOf)).size).toBe(40);
  for (const { switches } of generated) expect([2, 3]).toContain(switches.length);
});

it("shows the recorded results of every case on the page", () => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "results.gen.json"), "utf8")) as RecordedFaults;
  const page = readFileSync(join(import.meta.dirname, "../../docs/internals/faults.md"), "utf8");
  expect(insertFaultTable(page, faultTable(recorded))).toBe(page);
  expect(recorded.cases.map(({ name }) => name)).toEqual(faultCases.map(nameOf));
});
