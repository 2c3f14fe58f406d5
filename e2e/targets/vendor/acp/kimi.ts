import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../target.ts";

const NO_REASON = "Kimi ends the turn without a reason when its provider fails, so the category is unknown.";

/** Rules for the tools that act, and the default mode, before the tables of the configuration. */
function addRules(home: string, mode: string, decision: string): void {
  const path = join(home, ".kimi-code", "config.toml");
  const rules = ["Write", "Edit", "Bash"].map(
    (pattern) => `\n[[permission.rules]]\ndecision = "${decision}"\npattern = "${pattern}"\n`,
  );
  writeFileSync(path, `default_permission_mode = "${mode}"\n${readFileSync(path, "utf8")}${rules.join("")}`);
}

const kimi: Omit<Target, "version" | "name"> = {
  agent: "kimi",
  keyVariables: [],
  withoutKey(home) {
    const path = join(home, ".kimi-code", "config.toml");
    writeFileSync(path, readFileSync(path, "utf8").replace(/^api_key = .*\n/m, ""));
  },
  forget: (home) => rmSync(join(home, ".kimi-code", "sessions"), { recursive: true, force: true }),
  otherModel: "scripted/scripted-other",
  otherModelServed: "scripted-other",
  questionMode: "ask",
  outputLimit: 40_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  tasks: "commands",
  hidesTaskResults: true,
  lists: true,
  blindToNewFiles: true,
  planPrompt: "[[planfile]] go",
  configure: {
    permissive: ({ home }) => addRules(home, "yolo", "allow"),
    restrictive: ({ home }) => addRules(home, "manual", "ask"),
  },
  projectCode: "refused",
  hasOwnTrust: true,
  cannot: {
    "edit-input": "Kimi accepts only yes or no for an edit or command; the answer cannot change what it runs.",
    steer: "Kimi's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    "set-mode": "Kimi has no mode that edits files without asking and still asks before commands.",
    "error-429": NO_REASON,
    "error-500": NO_REASON,
    "error-529": NO_REASON,
    "error-quota": NO_REASON,
    "error-billing": NO_REASON,
    "error-model": NO_REASON,
    "refused-connection": NO_REASON,
    retry: "Kimi retries a failed request without reporting it over the Agent Client Protocol.",
    cost: "Kimi reports tokens but no price.",
  },
};

export const kimiTargets: readonly Target[] = [
  { ...kimi, version: "2.1.0", name: "Kimi Code 2.1.0" },
  { ...kimi, version: "0.43.0", name: "Kimi Code 0.43.0", oldest: true },
];
