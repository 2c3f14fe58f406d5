import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";
import { FAKE } from "./fake-target.ts";

const NEVER_ASKS = "Amp never asks in streaming mode: it refuses what its settings do not allow.";
const WHOLE_MESSAGES = "Amp prints whole messages, so no part of an answer is visible before it ends.";

/**
 * A fake, although the program is in the package registry: its threads run in the vendor's service, which it needs from
 * its first request on, and that service's protocol is not published.
 */
const amp: Omit<Target, "version" | "name"> = {
  ...FAKE,
  agent: "amp",
  fake: {
    from: "Amp's published description of its JSON stream",
    write: (dir) => writeFakeAgent({ dir, dialect: "amp", script: "model" }),
  },
  otherModel: "low",
  cannot: {
    "task-command": "Amp runs one process for each turn, and its background work ends with it.",
    "extra-folder": "Amp has no option for further folders; it works wherever its user may.",
    "multi-tool": NEVER_ASKS,
    approve: NEVER_ASKS,
    deny: NEVER_ASKS,
    "allow-session": NEVER_ASKS,
    "interrupt-asking": NEVER_ASKS,
    "restart-asking": NEVER_ASKS,
    question: NEVER_ASKS,
    "plan-approval": NEVER_ASKS,
    "interrupt-streaming": WHOLE_MESSAGES,
    "interrupt-send": WHOLE_MESSAGES,
    queue: WHOLE_MESSAGES,
    "queue-edit": WHOLE_MESSAGES,
    crash: WHOLE_MESSAGES,
    restart: WHOLE_MESSAGES,
    image: "Amp accepts only text as its prompt.",
    "plan-mode": "Amp has no plan-only mode.",
    fork: "Amp cannot copy a thread from the command line.",
    "agent-row": "Amp lists no models; it has work modes, which its manual documents.",
    cost: "Amp reports tokens but no price.",
    "context-usage": "Amp does not report how full its context is.",
    commands: "Amp lists no commands in streaming mode.",
  },
  leavesOut: [
    // The fake does not call tools of MCP servers.
    "mcp-server",
    // There is no request whose input could be edited, and no message can arrive before the answer.
    ...["edit-input", "steer", "stop-holds-queue"],
    // One process per turn: a change takes effect with the next one, and between turns there is no process to release.
    ...["set-mode", "set-model", "resume"],
    // Its behaviour in these cases is not documented well enough for a fake.
    ...["compaction", "no-key", "retry", "refused-connection"],
  ],
};

export const ampTargets: readonly Target[] = [{ ...amp, version: "0.0.1762", name: "Amp 0.0.1762" }];
