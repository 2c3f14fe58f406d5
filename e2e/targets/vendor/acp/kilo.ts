import type { Target } from "../../target.ts";
import { openCodeFamily } from "./opencode-family.ts";

const kilo: Omit<Target, "version" | "name"> = {
  agent: "kilo",
  ...openCodeFamily("kilo"),
  // It reports no token counts for the compaction request.
  unbilled: ["compaction"],
  compactPrompt: "/compact",
  command: "init",
  // Its start takes several seconds of CPU time.
  extraPatienceMs: 60_000,
  projectCode: "refused",
  cannot: {
    "task-command": "Kilo's shell tool waits for its command; its protocol reports no background work.",
    "edit-input": "Kilo accepts only yes or no for an edit or command; the answer cannot change what it runs.",
    steer: "Kilo's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    question: "Kilo cannot ask a question over the Agent Client Protocol: its question tool never returns there.",
  },
  leavesOut: [
    // Its plans are ordinary answers: a person continues by changing the mode.
    "plan-approval",
    // It compacts the conversation automatically and continues, so nothing fails.
    "error-overflow",
  ],
};

export const kiloTargets: readonly Target[] = [
  { ...kilo, version: "7.7.9", name: "Kilo 7.7.9" },
  { ...kilo, version: "7.7.2", name: "Kilo 7.7.2", oldest: true },
];
