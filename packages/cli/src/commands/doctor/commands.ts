import { buildCommand } from "@stricli/core";
import { docs, proposeAgents, toggle } from "../parameters.ts";

export const doctor = buildCommand({
  loader: async () => (await import("./doctor.ts")).default,
  parameters: {
    flags: { live: toggle("Send one short prompt to the agent") },
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
    more: "Exits 3 if a check fails, 1 if a prompt was not answered.",
    examples: ["gantry doctor", "gantry doctor claude --live"],
  }),
});
