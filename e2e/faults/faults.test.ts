import { LINUX, needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { faultCases } from "./cases.ts";
import { nameOf } from "./run-case.ts";
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
  "acp: noise + tool-open:500 + child-many + pause:800 + exit:9",
];

describe("a misbehaving agent", () => {
  it.each([false, true])("breaks no promise (SIGKILL of the daemon: %s)", needs(LINUX), async (kill) => {
    const sample = faultCases.filter((one) => SAMPLE.includes(nameOf(one)));
    expect(sample).toHaveLength(SAMPLE.length);
    const results = await runCases(sample, { kill, parallel: SAMPLE.length });
    expect(results.filter(({ broken }) => Object.keys(broken).length > 0)).toEqual([]);
  });
});
