import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../../own-config.ts";
import type { Target } from "../../target.ts";

const permissions = (type: string) => ({
  toolPermissions: ["save-file", "str-replace-editor", "apply_patch", "launch-process"].map((toolName) => ({
    toolName,
    permission: { type },
  })),
});

const auggie: Omit<Target, "version" | "name"> = {
  agent: "auggie",
  fakeService: true,
  keyVariables: ["AUGMENT_SESSION_AUTH"],
  otherModel: "scripted-mini",
  questionMode: "ask",
  outputLimit: 40_000,
  awaitsSubagents: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".augment", "sessions"), { recursive: true, force: true }),
  unbilled: true,
  modesAtStart: true,
  // It retries failed requests for half a minute before it reports them.
  extraPatienceMs: 60_000,
  configure: {
    permissive: userSettings(".augment/settings.json", permissions("allow")),
    project: projectSettings(".augment/settings.json", permissions("allow")),
    restrictive: userSettings(".augment/settings.json", permissions("ask-user")),
  },
  projectCode: "refused",
  editsAnywhere: true,
  cannot: {
    "task-command": "Auggie's protocol does not name the process of a command that it does not wait for.",
    "edit-input": "Auggie accepts only yes or no for a tool call; the answer cannot change what it runs.",
    question: "Auggie gives its model no tool to ask the user a question over ACP.",
    steer: "Auggie's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    fork: "Auggie cannot copy a conversation over ACP.",
    "set-mode": "Auggie takes its permissions at start, so Gantry restarts it to change the mode.",
    compaction: "Auggie has no ACP command to compact its conversation and does not report automatic compaction.",
    retry: "Auggie retries a failed request without reporting it.",
    "refused-connection":
      "Auggie retries a refused connection without reporting it; the first-output deadline ends the turn.",
    "mcp-server":
      "Auggie asks only before tools that are listed by name at start, so it would call the tools of an MCP server without asking.",
    subagent: "Auggie offers its model only subagents that the user has defined.",
    "interrupt-tool":
      "Auggie ends the shell of an interrupted command, but the processes that the shell started run until Auggie exits.",
    hang: "Auggie stores nothing of a conversation before its first answer; after the timeout, Gantry asks a person how to continue.",
    usage: "Auggie reports no token counts over ACP.",
    cost: "Auggie reports no price over ACP.",
    "context-usage": "Auggie does not report over ACP how full its context is.",
    commands: "Auggie lists only commands that the user has defined.",
  },
  leavesOut: [
    // Its plans are ordinary answers: a person continues by changing the mode.
    "plan-approval",
    // Its models run behind Augment's service, and how it reports such failures is not documented.
    ...["error-quota", "error-billing", "error-model", "error-overflow"],
  ],
};

export const auggieTargets: readonly Target[] = [{ ...auggie, version: "0.36.0", name: "Auggie 0.36.0" }];
