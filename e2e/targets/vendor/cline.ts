import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const cline: Omit<Target, "version" | "name"> = {
  agent: "cline",
  keyVariables: ["CLINE_API_KEY"],
  otherModel: "claude-opus-4-6",
  questionMode: "ask",
  outputLimit: 40_000,
  awaitsSubagents: true,
  forget: (home) => rmSync(join(home, ".cline", "data", "sessions"), { recursive: true, force: true }),
  unbilled: true,
  cannot: {
    "edit-input": "Cline takes only yes or no to a tool call; what it runs cannot be changed by the answer.",
    steer: "Cline's protocol has no way into a running turn: a message waits for the turn's end.",
    fork: "Cline cannot copy a conversation over ACP.",
    "set-mode": "Cline has no mode in which it edits freely and still asks before commands.",
    "plan-mode":
      "Cline takes its plan mode only before the first prompt of a conversation, and is always back in its other one when that is opened again.",
    "mcp-server": "Cline takes a client's servers over ACP and does nothing with them.",
    image: "Cline says over ACP that it takes images, and drops them.",
    question: "Cline gives its model no way to ask the user anything over ACP.",
    "todo-list": "Cline's model has no list of steps.",
    compaction: "Cline has no command over ACP that compacts its conversation.",
    commands: "Cline lists no commands over ACP.",
    retry: "Cline tries a failed request again without a word over ACP.",
    "refused-connection":
      "Cline tries a refused connection again without a word, so that the deadline for its first output ends it.",
    hang: "Cline keeps nothing of a conversation before its first answer: after the timeout a person is asked how to go on.",
    usage: "Cline tells no tokens over ACP.",
    cost: "Cline tells no price over ACP.",
    "context-usage": "Cline does not tell over ACP how full its context is.",
  },
  // Anthropic's protocol, by which it is tried here, has no such answer.
  leavesOut: ["error-quota", "plan-approval"],
};

export const clineTargets: readonly Target[] = [{ ...cline, version: "3.0.65", name: "Cline 3.0.65" }];
