import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";

const hermes: Omit<Target, "version" | "name"> = {
  agent: "hermes",
  fake: {
    from: "the source of Hermes' ACP adapter",
    write: (dir) => writeFakeAgent({ dir, dialect: "hermes", script: "model" }),
  },
  keyVariables: [],
  otherModel: "scripted:scripted-other",
  questionMode: "ask",
  outputLimit: 120_000,
  awaitsSubagents: true,
  lists: true,
  cannot: {
    "edit-input":
      "Hermes takes only yes or no to a request for permission; what it runs cannot be changed by the answer.",
    "plan-mode": "Hermes has no mode in which it only plans.",
    "big-output": "Hermes shows 500 characters of what a command printed.",
    cost: "Hermes counts tokens and tells no price.",
    "agent-row": "Hermes tells its models only when a conversation is opened, which a mere look at it should not do.",
  },
  leavesOut: [
    // The fake calls no tools of other servers.
    "mcp-server",
    // It has a command of its own for that, which answers at once and works on in the turn that runs.
    "steer",
    // It asks questions as forms, and has no plans to be approved.
    ...["question", "plan-approval"],
    // What it says and does then is not known well enough.
    ...["compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const hermesTargets: readonly Target[] = [{ ...hermes, version: "0.21.5", name: "Hermes 0.21.5" }];
