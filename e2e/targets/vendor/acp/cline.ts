import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../target.ts";

const cline: Omit<Target, "version" | "name"> = {
  agent: "cline",
  keyVariables: ["CLINE_API_KEY"],
  otherModel: "claude-opus-4-6",
  questionMode: "ask",
  outputLimit: 40_000,
  awaitsSubagents: true,
  forget: (home) => rmSync(join(home, ".cline", "data", "sessions"), { recursive: true, force: true }),
  unbilled: true,
  // Without a host that asks, it approves every tool itself.
  configure: { permissive: () => undefined },
  projectCode: "refused",
  cannot: {
    "task-command": "Cline's tool waits for its commands; its protocol reports no background work.",
    "edit-input": "Cline accepts only yes or no for a tool call; the answer cannot change what it runs.",
    steer: "Cline's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    fork: "Cline cannot copy a conversation over ACP.",
    "set-mode": "Cline has no mode that edits files without asking and still asks before commands.",
    "plan-mode":
      "Cline accepts plan mode only before the first prompt of a conversation, and a reopened conversation is always in act mode.",
    "mcp-server": "Cline accepts a client's MCP servers over ACP and ignores them.",
    image: "Cline announces image support over ACP but drops the images.",
    question: "Cline gives its model no tool to ask the user a question over ACP.",
    "todo-list": "Cline gives its model no to-do list.",
    compaction: "Cline has no ACP command to compact its conversation.",
    commands: "Cline lists no commands over ACP.",
    retry: "Cline retries a failed request without reporting it over ACP.",
    "refused-connection":
      "Cline retries a refused connection without reporting it; the first-output deadline ends the turn.",
    hang: "Cline stores nothing of a conversation before its first answer; after the timeout, Gantry asks a person how to continue.",
    usage: "Cline reports no token counts over ACP.",
    cost: "Cline reports no price over ACP.",
    "context-usage": "Cline does not report over ACP how full its context is.",
  },
  // The Anthropic protocol, which these tests use, has no such response.
  leavesOut: ["error-quota", "plan-approval"],
};

export const clineTargets: readonly Target[] = [{ ...cline, version: "3.0.65", name: "Cline 3.0.65" }];
