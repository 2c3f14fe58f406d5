import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const droid: Omit<Target, "version" | "name"> = {
  agent: "droid",
  keyVariables: ["FACTORY_API_KEY"],
  // Without a model of the user's own it wants a login.
  withoutKey: (home) => writeFileSync(join(home, ".factory", "settings.json"), "{}\n"),
  otherModel: "custom:Scripted-Mini-1",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  mainChannel: "stream-jsonrpc",
  outputLimit: 30_000,
  awaitsSubagents: true,
  givesUp: true,
  forget: (home) => rmSync(join(home, ".factory", "sessions"), { recursive: true, force: true }),
  cannot: {
    "edit-input": "Droid takes only yes or no to a tool call; what it runs cannot be changed by the answer.",
    "big-output":
      "Droid hands on only the beginning and the end of a long output, and names the file in which it keeps the whole.",
    "fallback-write": "Droid's print mode ends the turn with an error at the first call that its level does not allow.",
    cost: "Droid counts tokens and its maker's credits and tells no price.",
    commands: "Droid lists only commands that its user has defined; its own belong to its terminal interface.",
    subagent: "Droid's subagents are run by a service of its own that it starts for its terminal interface only.",
  },
  // Anthropic's protocol, by which it is tried here, has no such answer.
  leavesOut: ["error-quota"],
};

export const droidTargets: readonly Target[] = [{ ...droid, version: "0.225.2", name: "Droid 0.225.2" }];
