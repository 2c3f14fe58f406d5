import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";

const goose: Omit<Target, "version" | "name"> = {
  agent: "goose",
  fake: {
    from: "the source of Goose's ACP server",
    write: (dir) => writeFakeAgent({ dir, dialect: "goose", script: "model" }),
  },
  keyVariables: [],
  otherModel: "scripted-other",
  questionMode: "ask",
  outputLimit: 120_000,
  awaitsSubagents: true,
  lists: true,
  cannot: {
    "edit-input":
      "Goose takes only yes or no to a request for permission; what it runs cannot be changed by the answer.",
    steer: "Goose's protocol has no way into a running turn: a message waits for the turn's end.",
    "set-mode": "Goose has no mode in which it edits freely and still asks before commands.",
    "plan-mode": "Goose has no mode in which it only plans.",
    "agent-row": "Goose tells its models only when a conversation is opened, and keeps every one that ever was.",
  },
  leavesOut: [
    // The fake calls no tools of other servers.
    "mcp-server",
    // It asks questions as forms, and has no plans to be approved.
    ...["question", "plan-approval"],
    // What it says and does then is not known well enough.
    ...["subagent", "fork", "cost", "compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const gooseTargets: readonly Target[] = [{ ...goose, version: "1.38.0", name: "Goose 1.38.0" }];
