import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";

const NOBODY = "Amp asks nobody when it prints a stream: what its settings do not allow is refused.";
const WHOLE = "Amp prints whole messages, so nothing of an answer is seen before its end.";

const amp: Omit<Target, "version" | "name"> = {
  agent: "amp",
  fake: {
    from: "Amp's published description of its JSON stream",
    write: (dir) => writeFakeAgent({ dir, dialect: "amp", script: "model" }),
  },
  keyVariables: [],
  otherModel: "rush",
  questionMode: "ask",
  outputLimit: 120_000,
  awaitsSubagents: true,
  cannot: {
    "multi-tool": NOBODY,
    approve: NOBODY,
    deny: NOBODY,
    "allow-session": NOBODY,
    "interrupt-asking": NOBODY,
    "restart-asking": NOBODY,
    question: NOBODY,
    "plan-approval": NOBODY,
    "interrupt-streaming": WHOLE,
    "interrupt-send": WHOLE,
    queue: WHOLE,
    "queue-edit": WHOLE,
    crash: WHOLE,
    restart: WHOLE,
    image: "Amp gets its prompt as a text.",
    "plan-mode": "Amp has no mode in which it only plans.",
    fork: "Amp cannot copy a thread from the command line.",
    "agent-row": "Amp lists no models: it has ways of working, which its manual names.",
    cost: "Amp counts tokens and tells no price.",
    "context-usage": "Amp does not tell how full its context is.",
    commands: "Amp lists no commands when it prints a stream.",
  },
  leavesOut: [
    // The fake calls no tools of other servers.
    "mcp-server",
    // Nothing is asked that could be edited, and a message cannot come before the answer is there.
    ...["edit-input", "steer"],
    // One process a turn: a change takes effect with the next one, and between turns there is none to be released.
    ...["set-mode", "set-model", "resume"],
    // What it says and does then is not known well enough.
    ...["compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const ampTargets: readonly Target[] = [{ ...amp, version: "0.0.1762", name: "Amp 0.0.1762" }];
