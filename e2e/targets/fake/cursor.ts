import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";

const cursor: Omit<Target, "version" | "name"> = {
  agent: "cursor",
  fake: {
    from: "Cursor's documentation of ACP, of its own methods beside it and of its print formats, and published records of its users",
    write: (dir) => writeFakeAgent({ dir, dialect: "cursor", name: "cursor-agent", script: "model" }),
  },
  keyVariables: [],
  otherModel: "composer-2.5[fast=true]",
  questionMode: "ask",
  mainChannel: "acp",
  outputLimit: 120_000,
  awaitsSubagents: true,
  lists: true,
  unbilled: true,
  writeMode: "full-auto",
  cannot: {
    "edit-input":
      "Cursor takes only yes or no to a request for permission; what it runs cannot be changed by the answer.",
    steer: "Cursor's protocol has no way into a running turn: a message waits for the turn's end.",
    "set-mode": "Cursor has no mode in which it edits freely and still asks before commands.",
    fork: "Cursor cannot copy a conversation over the Agent Client Protocol.",
    usage: "Cursor tells no tokens over the Agent Client Protocol.",
    cost: "Cursor tells no price.",
    "context-usage": "Cursor does not tell over the Agent Client Protocol how full its context is.",
  },
  leavesOut: [
    // The fake calls no tools of other servers.
    "mcp-server",
    // What becomes of its mode when a plan is accepted is written nowhere.
    "plan-approval",
    // Its models are behind a service of its own, and how that one's failures are told is not known.
    ...["error-401", "error-429", "error-500", "error-529", "error-quota", "error-billing", "error-model"],
    ...["error-overflow", "no-key", "retry", "refused-connection"],
    // Which commands it lists depends on the project and its account.
    ...["commands", "compaction"],
  ],
};

export const cursorTargets: readonly Target[] = [
  { ...cursor, version: "2026.10.22-27dcf5f", name: "Cursor 2026.10.22" },
];
