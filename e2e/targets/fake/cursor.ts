import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";
import { FAKE } from "./fake-target.ts";

const cursor: Omit<Target, "version" | "name"> = {
  ...FAKE,
  agent: "cursor",
  fake: {
    from: "Cursor's documentation of ACP, of its ACP extensions and of its print formats, and recordings that users published",
    write: (dir) => writeFakeAgent({ dir, dialect: "cursor", name: "cursor-agent", script: "model" }),
  },
  otherModel: "composer-2.5[fast=true]",
  mainChannel: "acp",
  lists: true,
  unbilled: true,
  writeMode: "full-auto",
  controls: ["agent", "plan", "ask"].map((native) => ({
    mode: "ask",
    set: { "cursor-mode": native },
    applied: { "cursor-mode": [native] },
  })),
  tooMuch: { "cursor-mode": "agent" },
  cannot: {
    "task-command": "Cursor's protocol reports no work that outlives a turn.",
    "extra-folder": "Cursor has no option for further folders.",
    "edit-input": "Cursor accepts only yes or no for a permission request; the answer cannot change what it runs.",
    steer: "Cursor's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    "set-mode": "Cursor has no mode that edits files without asking and still asks before commands.",
    fork: "Cursor cannot copy a conversation over the Agent Client Protocol.",
    usage: "Cursor reports no token counts over the Agent Client Protocol.",
    cost: "Cursor reports no price.",
    "context-usage": "Cursor does not report over the Agent Client Protocol how full its context is.",
  },
  leavesOut: [
    // The fake does not call tools of MCP servers.
    "mcp-server",
    // Its documentation does not state which mode follows an accepted plan.
    "plan-approval",
    // Its models run behind Cursor's service, and how it reports failures is not documented.
    ...["error-401", "error-429", "error-500", "error-529", "error-quota", "error-billing", "error-model"],
    ...["error-overflow", "no-key", "retry", "refused-connection"],
    // Which commands it lists depends on the project and its account.
    ...["commands", "compaction"],
  ],
};

export const cursorTargets: readonly Target[] = [
  { ...cursor, version: "2026.10.22-27dcf5f", name: "Cursor 2026.10.22" },
];
