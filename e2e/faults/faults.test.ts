import { LINUX, needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { faultCases } from "./cases.ts";
import { nameOf } from "./run-case.ts";
import { runCases } from "./run-cases.ts";

/** One case of each mechanism. `npm run faults` runs all, also with SIGKILL of the daemon in the middle. */
const SAMPLE = [
  "acp: prompt-late-twice",
  "acp: new-id:7",
  "acp: deep-tool",
  "acp: broken",
  "acp: child-many",
  "acp: close-stdin",
  "acp: cancel-exit",
  "acp: noise + tool-open:500 + child-many + pause:800 + exit:9",
];

describe("a misbehaving agent", () => {
  it("breaks no promise", needs(LINUX), async () => {
    const sample = faultCases.filter((one) => SAMPLE.includes(nameOf(one)));
    expect(sample).toHaveLength(SAMPLE.length);
    const broken = (await runCases(sample, { kill: false })).filter((result) => Object.keys(result.broken).length > 0);
    expect(broken).toEqual([]);
  });
});
