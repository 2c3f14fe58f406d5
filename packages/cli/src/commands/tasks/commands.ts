import { buildCommand } from "@stricli/core";
import { docs, proposeSessions } from "../parameters.ts";

export const tasks = buildCommand({
  loader: async () => (await import("./tasks.ts")).default,
  parameters: {
    positional: {
      kind: "array",
      parameter: {
        brief: "Session (all with a running task), then `stop` or `output` and the task",
        placeholder: "session action task",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("List an agent's background commands and subagents, stop one, or print its output", {
    more: "A session with a running task is not released when idle. `stop` waits until the agent confirms the end.",
    examples: [
      "gantry tasks",
      "gantry tasks last --json",
      "gantry tasks last stop bx5t0k2q1",
      "gantry tasks last output bx5t0k2q1",
    ],
    usage: "[session] [stop|output <task>]",
  }),
});
