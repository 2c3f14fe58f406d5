import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const gemini: Omit<Target, "version" | "name"> = {
  agent: "gemini",
  keyVariables: ["GEMINI_API_KEY"],
  otherModel: "gemini-3.5-flash-lite",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 120_000,
  command: "memory",
  awaitsSubagents: true,
  forget: (home) => rmSync(join(home, ".gemini", "tmp"), { recursive: true }),
  // A conversation is resumed in the minute after the one in which it was begun.
  extraPatienceMs: 60_000,
  cannot: {
    retry: "Gemini tries a failed request again without a word over ACP; what it writes of it comes when it ends.",
    "refused-connection":
      "Gemini tries ten times without a word where nobody answers, so that only the deadline ends it.",
    compaction: "Gemini lists no command over ACP that compacts its conversation, and tells of none of its own doing.",
    fork: "Gemini cannot copy a conversation over ACP.",
    cost: "Gemini counts tokens and tells no price.",
    "context-usage": "Gemini tells over ACP what a turn took, but not how full its context is.",
    steer: "Gemini takes no message into a running turn: a second prompt cancels the first.",
    question: "Gemini takes its tool for questions away from the model when it is driven over ACP.",
    "todo-list": "Gemini tells over ACP that it has set itself steps, and how many, but not which.",
    "edit-input":
      "Gemini takes only yes or no to a request for permission over ACP; what it runs cannot be changed by the answer.",
  },
};

export const geminiTargets: readonly Target[] = [{ ...gemini, version: "0.61.0", name: "Gemini CLI 0.61.0" }];
