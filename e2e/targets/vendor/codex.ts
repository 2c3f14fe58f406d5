import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const codex: Omit<Target, "version" | "name"> = {
  agent: "codex",
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "plan",
  mainChannel: "app-server",
  outputLimit: 300_000,
  awaitsSubagents: false,
  forget: (home) => rmSync(join(home, ".codex", "sessions"), { recursive: true }),
  cannot: {
    "edit-input": "Codex takes only yes or no to a patch or command; what it runs cannot be changed by the answer.",
    retry: "Codex tries a failed request again without a word; it tells only of streams that it opens anew.",
    cost: "Codex counts tokens and tells no price.",
    commands: "Codex's app-server has no slash commands; they belong to its own terminal interface.",
  },
  leavesOut: [
    // Offered to the models of its own catalogue only, so the scripted model cannot use it.
    "todo-list",
    // Its plans are answers like any other: a person goes on by changing the mode.
    "plan-approval",
  ],
};

export const codexTargets: readonly Target[] = [{ ...codex, version: "0.166.0", name: "Codex 0.166.0" }];
