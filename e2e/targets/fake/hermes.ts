import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";
import { FAKE } from "./fake-target.ts";

const hermes: Omit<Target, "version" | "name"> = {
  ...FAKE,
  agent: "hermes",
  fake: {
    from: "the source of Hermes' ACP adapter",
    write: (dir) => writeFakeAgent({ dir, dialect: "hermes", script: "model" }),
  },
  otherModel: "scripted:scripted-other",
  lists: true,
  cannot: {
    "task-command": "Hermes' protocol reports no work that outlives a turn.",
    "extra-folder": "Hermes does not accept further folders over the Agent Client Protocol.",
    "edit-input": "Hermes accepts only yes or no for a permission request; the answer cannot change what it runs.",
    "plan-mode": "Hermes has no plan-only mode.",
    "big-output": "Hermes passes on only 500 characters of a command's output.",
    cost: "Hermes reports tokens but no price.",
    "agent-row":
      "Hermes reports its models only when a conversation is opened, and detecting the agent must not open one.",
  },
  leavesOut: [
    // The fake does not call tools of MCP servers.
    "mcp-server",
    // It has a separate command for steering, which returns at once while the running turn continues.
    "steer",
    // It asks questions as forms and has no plans to approve.
    ...["question", "plan-approval"],
    // Its behaviour in these cases is not documented well enough for a fake.
    ...["compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const hermesTargets: readonly Target[] = [{ ...hermes, version: "0.21.5", name: "Hermes 0.21.5" }];
