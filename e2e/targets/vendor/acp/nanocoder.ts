import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../../own-config.ts";
import type { Target } from "../../target.ts";

const FILE = ".config/nanocoder/agents.config.json";
const alwaysAllow = ["write_file", "string_replace", "execute_bash"];

const nanocoder: Omit<Target, "version" | "name"> = {
  agent: "nanocoder",
  keyVariables: [],
  withoutKey(home) {
    const path = join(home, FILE);
    writeFileSync(path, readFileSync(path, "utf8").replace(/"sk-scripted-[^"]*"/, '""'));
  },
  otherModel: "scripted-mini",
  questionMode: "ask",
  outputLimit: 40_000,
  awaitsSubagents: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".local", "share", "nanocoder"), { recursive: true, force: true }),
  // It loads for several seconds of CPU time.
  extraPatienceMs: 60_000,
  configure: {
    permissive: userSettings(FILE, { nanocoder: { alwaysAllow } }),
    project: projectSettings("agents.config.json", { nanocoder: { alwaysAllow } }),
    restrictive: userSettings(FILE, { nanocoder: { alwaysAllow: [] } }),
  },
  projectCode: "refused",
  givesUp: true,
  cannot: {
    image: "Nanocoder does not accept images over ACP.",
    "edit-input": "Nanocoder accepts only yes or no for a tool call; the answer cannot change what it runs.",
    steer: "Nanocoder's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    fork: "Nanocoder cannot copy a conversation over ACP.",
    compaction: "Nanocoder has no ACP command to compact its conversation.",
    cost: "Nanocoder reports tokens but no price.",
    "context-usage": "Nanocoder does not report over ACP how full its context is.",
    "mcp-server": "Nanocoder ignores the MCP servers that a client passes over ACP.",
    commands: "Nanocoder lists only commands that the user has defined.",
    "big-output": "Nanocoder passes on at most 2,000 characters of a command's output.",
    retry: "Nanocoder retries a failed request without reporting it over ACP.",
    "extra-folder": "Nanocoder has no option for further folders.",
    "task-command": "Nanocoder's shell tool waits for its command; its protocol reports no background work.",
    "agent-row": "Nanocoder lists its models only when a conversation is opened, and it stores every opened one.",
    hang: "Nanocoder stores a conversation only when a turn ends, so one whose first turn was cut off cannot be resumed.",
    subagent: "Nanocoder has only the subagents that the user has defined.",
  },
  leavesOut: [
    // Its plans are ordinary answers: a person continues by changing the mode.
    "plan-approval",
    // It needs no key: its provider decides, and the scripted one answers.
    "no-key",
  ],
};

export const nanocoderTargets: readonly Target[] = [{ ...nanocoder, version: "1.30.0", name: "Nanocoder 1.30.0" }];
