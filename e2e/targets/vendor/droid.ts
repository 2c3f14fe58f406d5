import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../own-config.ts";
import type { Target } from "../target.ts";

const allows = {
  sessionDefaultSettings: { autonomyLevel: "high", autonomyMode: "auto-high", interactionMode: "auto" },
  autonomyLevel: "high",
  autonomyMode: "auto-high",
  commandAllowlist: ["bash", "echo", "printf", "*"],
};

const droid: Omit<Target, "version" | "name"> = {
  agent: "droid",
  keyVariables: ["FACTORY_API_KEY"],
  // Without a custom model it requires a login.
  withoutKey: (home) => writeFileSync(join(home, ".factory", "settings.json"), "{}\n"),
  otherModel: "custom:Scripted-Mini-1",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  mainChannel: "stream-jsonrpc",
  outputLimit: 30_000,
  awaitsSubagents: true,
  tasks: "commands",
  hidesTaskResults: true,
  givesUp: true,
  forget: (home) => rmSync(join(home, ".factory", "sessions"), { recursive: true, force: true }),
  freeCommands: true,
  configure: {
    permissive: userSettings(".factory/settings.json", allows),
    project: projectSettings(".factory/settings.json", allows),
    restrictive: userSettings(".factory/settings.json", {
      sessionDefaultSettings: { autonomyLevel: "off", interactionMode: "spec" },
      commandDenylist: ["bash *", "echo *"],
    }),
  },
  controls: ["off", "auto-low", "auto-medium", "auto-high"].map((autonomy) => ({
    mode: "full-auto",
    set: { autonomy },
    applied: { autonomy: [autonomy] },
  })),
  tooMuch: { autonomy: "auto-medium" },
  projectCode: "refused",
  editsAnywhere: true,
  cannot: {
    "take-back": "Droid cannot give back a message that was sent into a running turn.",
    "edit-input": "Droid accepts only yes or no for a tool call; the answer cannot change what it runs.",
    "big-output":
      "Droid passes on only the start and the end of a long output, with the path of the file that holds all of it.",
    "fallback-write": "Droid's print mode fails the turn at the first call that its autonomy level does not allow.",
    cost: "Droid reports tokens and Factory credits but no price.",
    commands:
      "Droid lists only commands that the user has defined; its built-in ones exist only in its terminal interface.",
    subagent: "Droid runs subagents in a separate service, which it starts only for its terminal interface.",
  },
  // The Anthropic protocol, which these tests use, has no such response.
  leavesOut: ["error-quota"],
};

export const droidTargets: readonly Target[] = [{ ...droid, version: "0.225.2", name: "Droid 0.225.2" }];
