import type { Target } from "../target.ts";
import { openCodeKin } from "./opencode-family.ts";

const kilo: Omit<Target, "version" | "name"> = {
  agent: "kilo",
  ...openCodeKin("kilo"),
  // It tells no tokens of the request that compacts.
  unbilled: ["compaction"],
  compactPrompt: "/compact",
  command: "init",
  // It takes seconds of a whole core to start.
  extraPatienceMs: 60_000,
  cannot: {
    "edit-input": "Kilo takes only yes or no to an edit or command; what it runs cannot be changed by the answer.",
    steer: "Kilo's protocol has no way into a running turn: a message waits for the turn's end.",
    question: "Kilo asks its user nothing over the Agent Client Protocol: its tool for questions waits there forever.",
  },
  leavesOut: [
    // Its plans are answers like any other: a person goes on by changing the mode.
    "plan-approval",
    // It compacts the conversation by itself and goes on, so that nothing fails.
    "error-overflow",
  ],
};

export const kiloTargets: readonly Target[] = [{ ...kilo, version: "7.7.7", name: "Kilo 7.7.7" }];
