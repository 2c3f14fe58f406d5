import { LINUX, needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { type Report, runCycles } from "./cycles.ts";
import { fakeFleet } from "./fleet.ts";
import { problemsOf } from "./verdict.ts";

describe.runIf(LINUX.met)("cycles of sessions with every agent", needs(LINUX), () => {
  it("leave no process and no file behind", { timeout: 600_000 }, async () => {
    const report = await runCycles((agents) => 2 * agents, fakeFleet);
    expect(report.agents.length).toBeGreaterThan(10);
    expect(problemsOf(report)).toEqual([]);
  });
});

describe("the verdict", () => {
  const cycles = Array.from({ length: 80 }, (_, number) => ({ agent: "a", number, ms: 1 }));
  const clean: Report = { agents: ["a"], cycles, processes: [], files: [], memory: cycles.map(() => 100) };

  it("is clean if nothing is left", () => {
    expect(problemsOf(clean)).toEqual([]);
  });

  it("lists processes and files that are left", () => {
    expect(problemsOf({ ...clean, processes: ["sleep 600"], files: ["/tmp/spool"] })).toEqual([
      "left running: sleep 600",
      "left open: /tmp/spool",
    ]);
    expect(problemsOf({ ...clean, cycles: [{ agent: "a", number: 0, ms: 1, problem: "no answer" }] })).toEqual([
      "cycle 1, a: no answer",
    ]);
  });

  it("distinguishes a leak from warm-up", () => {
    const warm = cycles.map(({ number }) => (number < 20 ? 60 : 100));
    expect(problemsOf({ ...clean, memory: warm })).toEqual([]);
    const leak = cycles.map(({ number }) => 100 + number);
    expect(problemsOf({ ...clean, memory: leak })).toEqual(["the daemon grew from 130 to 170 MB"]);
  });
});
