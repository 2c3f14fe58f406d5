import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";
import { FAKE } from "./fake-target.ts";

const goose: Omit<Target, "version" | "name"> = {
  ...FAKE,
  agent: "goose",
  fake: {
    from: "the source of Goose's ACP server",
    write: (dir) => writeFakeAgent({ dir, dialect: "goose", script: "model" }),
  },
  otherModel: "scripted-other",
  lists: true,
  cannot: {
    "task-command": "Goose's protocol reports no work that outlives a turn.",
    "extra-folder": "Goose does not accept further folders over the Agent Client Protocol.",
    "edit-input": "Goose accepts only yes or no for a permission request; the answer cannot change what it runs.",
    steer: "Goose's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    "set-mode": "Goose has no mode that edits files without asking and still asks before commands.",
    "plan-mode": "Goose has no plan-only mode.",
    "agent-row":
      "Goose reports its models only when a conversation is opened, and it stores every conversation ever opened.",
  },
  leavesOut: [
    // The fake does not call tools of MCP servers.
    "mcp-server",
    // It asks questions as forms and has no plans to approve.
    ...["question", "plan-approval"],
    // Its behaviour in these cases is not documented well enough for a fake.
    ...["subagent", "fork", "cost", "compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const gooseTargets: readonly Target[] = [{ ...goose, version: "1.38.0", name: "Goose 1.38.0" }];
