import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const copilot: Omit<Target, "version" | "name"> = {
  agent: "copilot",
  keyVariables: ["COPILOT_PROVIDER_API_KEY"],
  otherModel: "scripted-mini",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 60_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".copilot"), { recursive: true, force: true }),
  // It counts no tokens of a compaction, nor any in its print mode.
  unbilled: ["compaction", "fallback-write"],
  writeMode: "full-auto",
  cannot: {
    "edit-input": "Copilot takes only yes or no to a tool call; what it runs cannot be changed by the answer.",
    question: "Copilot gives its model no way to ask the user anything over ACP.",
    "todo-list": "Copilot keeps its list of steps in a database of its own and tells nobody of it.",
    steer: "Copilot takes no message into a running turn over ACP: a second prompt cancels the first.",
    fork: "Copilot cannot copy a conversation over ACP.",
    "set-mode": "Copilot has no mode in which it may edit files but not run commands.",
    "agent-row": "Copilot names no models when it runs with a provider of the user's own, as it does here.",
    "big-output":
      "Copilot hands on no more than 20 kB of a command's output; of more, only the file in which it keeps it.",
    cost: "Copilot counts tokens and tells no price.",
  },
  // Its plans are answers like any other: a person goes on by changing the mode.
  leavesOut: ["plan-approval"],
};

export const copilotTargets: readonly Target[] = [{ ...copilot, version: "1.0.102", name: "Copilot CLI 1.0.102" }];
