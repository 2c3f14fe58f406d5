import { buildCommand } from "@stricli/core";
import { docs, toggle } from "../parameters.ts";

export const demo = buildCommand({
  loader: async () => (await import("./demo.ts")).default,
  parameters: { flags: { yes: toggle("Allow everything without asking") }, aliases: { y: "yes" } },
  docs: docs("Show a complete session without a key or a network", {
    more: "Runs Gantry's own agent with a scripted model in a temporary project.",
    examples: ["gantry demo", "gantry demo --yes"],
  }),
});
