import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

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
  // It tries failed requests again for half a minute before it tells of them.
  extraPatienceMs: 60_000,
  cannot: {
    "edit-input": "Auggie takes only yes or no to a tool call; what it runs cannot be changed by the answer.",
    question: "Auggie gives its model no way to ask the user anything over ACP.",
    steer: "Auggie's protocol has no way into a running turn: a message waits for the turn's end.",
    fork: "Auggie cannot copy a conversation over ACP.",
    "set-mode": "Auggie is told what it may do when it starts, so that it is started anew for another mode.",
    compaction: "Auggie has no command over ACP that compacts its conversation, and tells of none of its own doing.",
    retry: "Auggie tries a failed request again without a word.",
    "refused-connection":
      "Auggie tries a refused connection again without a word, so that the deadline for its first output ends it.",
    "mcp-server":
      "Auggie asks only before tools that are named one by one when it starts, so that calls of a server's tools would go unasked.",
    subagent: "Auggie offers its model no subagents but those that its user has defined.",
    "interrupt-tool":
      "Auggie ends the shell of a command that is interrupted, and leaves running what that had started until it ends itself.",
    hang: "Auggie keeps nothing of a conversation before its first answer: after the timeout a person is asked how to go on.",
    usage: "Auggie tells no tokens over ACP.",
    cost: "Auggie tells no price over ACP.",
    "context-usage": "Auggie does not tell over ACP how full its context is.",
    commands: "Auggie lists only commands that its user has defined.",
  },
  leavesOut: [
    // Its plans are answers like any other: a person goes on by changing the mode.
    "plan-approval",
    // Its models are behind a service of its own, and how that one tells such failures is not known.
    ...["error-quota", "error-billing", "error-model", "error-overflow"],
  ],
};

export const auggieTargets: readonly Target[] = [{ ...auggie, version: "0.36.0", name: "Auggie 0.36.0" }];
