import { buildCommand } from "@stricli/core";
import { docs, proposeSessions, toggle } from "../parameters.ts";

export const tui = buildCommand({
  loader: async () => (await import("./tui.ts")).default,
  parameters: {
    flags: {
      plain: toggle("One line after the other, without a full screen: for screen readers"),
      noMouse: toggle("Leave the mouse to the terminal"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Session to open: id, its end, title or `last`",
          placeholder: "session",
          parse: String,
          optional: true,
          proposeCompletions: proposeSessions,
        },
      ],
    },
  },
  docs: docs("All sessions in one full-screen program", {
    more: "`gantry` without a command opens it on a terminal. ctrl+p lists commands and sessions, ? the keys.",
    examples: ["gantry tui", "gantry tui last", "gantry tui --plain"],
  }),
});
