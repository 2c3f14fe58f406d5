import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const qwen: Omit<Target, "version" | "name"> = {
  agent: "qwen",
  keyVariables: ["OPENAI_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 120_000,
  command: "compress",
  compactPrompt: "/compress",
  // It does not tell what a compaction took.
  unbilled: ["compaction"],
  awaitsSubagents: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".qwen", "projects"), { recursive: true }),
  // It tries seven times where the provider is broken, and waits longer before each.
  extraPatienceMs: 90_000,
  cannot: {
    fork: "Qwen cannot copy a conversation over ACP.",
    cost: "Qwen counts tokens and tells no price.",
    "refused-connection": "Qwen tries again without a word where nobody answers, so that only the deadline ends it.",
    retry: "Qwen tries a failed request again without a word.",
    "error-quota": "Qwen tells every 429 as a passing rate limit, and not in the provider's words.",
    steer: "Qwen takes no message into a running turn: a second prompt makes the first one fail.",
    "edit-input":
      "Qwen takes only yes or no to a request for permission over ACP; what it runs cannot be changed by the answer.",
    "big-output":
      "Qwen tells at most 32,000 characters of what a command printed, and keeps the rest in a file that it names.",
  },
};

export const qwenTargets: readonly Target[] = [{ ...qwen, version: "0.24.4", name: "Qwen Code 0.24.4" }];
