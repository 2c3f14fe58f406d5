import { buildCommand } from "@stricli/core";
import { docs, proposeAgents, textFlag, toggle } from "../parameters.ts";

export const doctor = buildCommand({
  loader: async () => (await import("./doctor.ts")).default,
  parameters: {
    flags: {
      live: toggle("Send one short prompt to the agent"),
      bundle: toggle("Write an archive for a bug report"),
      out: textFlag("With --bundle: the path of the archive", "file"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Only this agent",
          placeholder: "agent",
          optional: true,
          parse: String,
          proposeCompletions: proposeAgents,
        },
      ],
    },
  },
  docs: docs("Check everything that a session needs, with fixes", {
    more: "Exits 3 if a check fails, 1 if a prompt was not answered. --bundle writes versions, checks, figures and the daemon's log to a\n.tar.gz file. It has no message, title, file or key; read it before you send it.",
    examples: ["gantry doctor", "gantry doctor claude --live", "gantry doctor --bundle --out report.tar.gz"],
  }),
});
