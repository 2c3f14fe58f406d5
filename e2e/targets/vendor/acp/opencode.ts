import type { Target } from "../../target.ts";
import { openCodeFamily } from "./opencode-family.ts";

const opencode: Omit<Target, "version" | "name"> = {
  agent: "opencode",
  ...openCodeFamily("opencode"),
  mainChannel: "acp",
  // It reports no token counts for the compaction request.
  unbilled: ["compaction"],
  compactPrompt: "/compact",
  // Its start takes several seconds of CPU time.
  extraPatienceMs: 60_000,
  controls: [
    { mode: "inherit", set: { agent: "plan" }, applied: { agent: ["plan"] } },
    { mode: "inherit", set: {}, applied: { agent: ["build"] } },
  ],
  tooMuch: { agent: "build" },
  projectCode: "refused",
  cannot: {
    "task-command":
      "OpenCode's shell tool waits for its command; background subagents need an experimental switch of OpenCode.",
    "edit-input": "OpenCode accepts only yes or no for an edit or command; the answer cannot change what it runs.",
    question: "OpenCode offers its question tool only in its own interfaces, not over the Agent Client Protocol.",
    steer: "OpenCode's protocol cannot add a message to a running turn; the message waits until the turn ends.",
  },
  leavesOut: [
    // Its plans are ordinary answers: a person continues by changing the mode.
    "plan-approval",
    // It compacts the conversation automatically and continues, so nothing fails.
    "error-overflow",
  ],
};

export const opencodeTargets: readonly Target[] = [
  { ...opencode, version: "1.18.33", name: "OpenCode 1.18.33" },
  { ...opencode, version: "1.3.0", name: "OpenCode 1.3.0", oldest: true, givesUp: true },
];
