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
    "edit-input": "Codex accepts only yes or no for a patch or command; the answer cannot change what it runs.",
    retry: "Codex retries a failed request without reporting it; it reports only streams that it reopens.",
    cost: "Codex reports tokens but no price.",
    commands: "Codex's app-server has no slash commands; only its terminal interface has them.",
  },
  leavesOut: [
    // Codex offers the tool only to models of its catalogue, so the scripted model cannot use it.
    "todo-list",
    // Its plans are ordinary answers: a person continues by changing the mode.
    "plan-approval",
  ],
};

export const codexTargets: readonly Target[] = [{ ...codex, version: "0.166.0", name: "Codex 0.166.0" }];
