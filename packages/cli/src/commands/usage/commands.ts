import { buildCommand } from "@stricli/core";
import { docs, proposeSessions, textFlag } from "../parameters.ts";

const keys = ["agent", "model", "day", "session", "lane", "turn"] as const;

export const usage = buildCommand({
  loader: async () => (await import("./usage.ts")).default,
  parameters: {
    flags: {
      by: { kind: "enum", values: keys, brief: "Group by these", variadic: ",", default: ["agent", "model"] },
      since: textFlag("From this day or time on: 2026-11-01, 7d, 12h, today", "when"),
      until: textFlag("Before this day or time", "when"),
      session: { ...textFlag("Only this session", "session"), proposeCompletions: proposeSessions },
      lane: textFlag("Only this lane", "lane"),
    },
  },
  docs: docs("Show tokens, cost and the time to the first output", {
    more: "FIRST OUTPUT is the median time to a turn's first output. ~ marks costs computed from list prices, ? turns whose cost is unknown.",
    examples: ["gantry usage", "gantry usage --by day,agent", "gantry usage --by lane,model --since 7d"],
  }),
});
