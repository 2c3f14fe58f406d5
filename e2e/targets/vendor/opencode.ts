import type { Target } from "../target.ts";
import { openCodeKin } from "./opencode-family.ts";

const opencode: Omit<Target, "version" | "name"> = {
  agent: "opencode",
  ...openCodeKin("opencode"),
  mainChannel: "acp",
  // It tells no tokens of the request that compacts.
  unbilled: ["compaction"],
  compactPrompt: "/compact",
  cannot: {
    "edit-input": "OpenCode takes only yes or no to an edit or command; what it runs cannot be changed by the answer.",
    question: "OpenCode offers its question tool to its own interfaces only, not over the Agent Client Protocol.",
    steer: "OpenCode's protocol has no way into a running turn: a message waits for the turn's end.",
  },
  leavesOut: [
    // Its plans are answers like any other: a person goes on by changing the mode.
    "plan-approval",
    // It compacts the conversation by itself and goes on, so that nothing fails.
    "error-overflow",
  ],
};

export const opencodeTargets: readonly Target[] = [{ ...opencode, version: "1.18.33", name: "OpenCode 1.18.33" }];
