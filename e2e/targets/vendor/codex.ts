import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../own-config.ts";
import type { ControlCheck, Target } from "../target.ts";

/** Rules that run every command of the scenarios outside the sandbox without asking. */
const rules = ["bash", "sh", "echo", "printf", "cat", "touch"]
  .map((program) => `prefix_rule(pattern = [${JSON.stringify(program)}], decision = "allow")\n`)
  .join("");

/** Settings of a TOML file that belong to no table come first. */
function prependLines(home: string, lines: string): void {
  const path = join(home, ".codex", "config.toml");
  writeFileSync(path, `${lines}\n${readFileSync(path, "utf8")}`);
}

const approvals = ["untrusted", "on-request", "on-failure", "never"];
const modeOf = { "read-only": "ask", "workspace-write": "auto-edit", "danger-full-access": "full-auto" } as const;

/** All pairs of policy and sandbox. Newer versions have no policy `on-failure` and use its successor. */
const pairs: ControlCheck[] = approvals.flatMap((approval) =>
  (Object.keys(modeOf) as (keyof typeof modeOf)[]).map((sandbox) => ({
    mode: "full-auto",
    set: { approval, sandbox },
    applied: { approval: approval === "on-failure" ? [approval, "on-request"] : [approval], sandbox: [sandbox] },
    modeApplied: sandbox === "workspace-write" && approval === "untrusted" ? "ask" : modeOf[sandbox],
  })),
);

const codex: Omit<Target, "version" | "name"> = {
  agent: "codex",
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "plan",
  proposesPlans: true,
  mainChannel: "app-server",
  outputLimit: 300_000,
  tasks: "all",
  awaitsSubagents: false,
  forget: (home) => rmSync(join(home, ".codex", "sessions"), { recursive: true }),
  freeCommands: true,
  configure: {
    permissive({ home }) {
      prependLines(home, 'approval_policy = "never"\nsandbox_mode = "danger-full-access"');
      writeText(home, ".codex/rules/default.rules", rules);
    },
    project({ home, folder }) {
      const path = join(home, ".codex", "config.toml");
      const trust = `\n[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`;
      writeFileSync(path, readFileSync(path, "utf8") + trust);
      writeText(folder, ".codex/config.toml", 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n');
      writeText(folder, ".codex/rules/default.rules", rules);
    },
    restrictive: ({ home }) => prependLines(home, 'approval_policy = "on-request"\nsandbox_mode = "read-only"'),
  },
  controls: [
    ...pairs,
    { mode: "inherit", set: {}, applied: { sandbox: ["read-only", "workspace-write", "danger-full-access"] } },
    { mode: "plan", set: { approval: "never" }, applied: { approval: ["never"], sandbox: ["read-only"] } },
  ],
  tooMuch: { sandbox: "workspace-write" },
  fastTier: "priority",
  projectCode: "ignored",
  cannot: {
    "take-back": "Codex cannot give back a message that was sent into a running turn.",
    "edit-input": "Codex accepts only yes or no for a patch or command; the answer cannot change what it runs.",
    retry: "Codex retries a failed request without reporting it; it reports only streams that it reopens.",
    cost: "Codex reports tokens but no price.",
    commands: "Codex's app-server has no slash commands; only its terminal interface has them.",
  },
  leavesOut: [
    // Its shell tool returns after 30 s at the latest, so a subagent that waits for a command does not run as long.
    "task-outlive",
    // Codex offers the tool only to models of its catalogue, so the scripted model cannot use it.
    "todo-list",
    // It does not wait for the approval of a plan: see plan-proposed.
    "plan-approval",
  ],
};

export const codexTargets: readonly Target[] = [
  { ...codex, version: "0.169.0", name: "Codex 0.169.0" },
  {
    ...codex,
    version: "0.130.0",
    name: "Codex 0.130.0",
    oldest: true,
    givesUp: true,
    cannot: {
      ...codex.cannot,
      "error-quota": "Codex 0.130 reports every 429 as a rate limit and drops the provider's message.",
    },
  },
];
