import { buildCommand } from "@stricli/core";
import { docs, toggle } from "../parameters.ts";

export const demo = buildCommand({
  loader: async () => (await import("./demo.ts")).default,
  parameters: { flags: { yes: toggle("Give every approval without asking") }, aliases: { y: "yes" } },
  docs: docs("See a complete session: no key, no network", { examples: ["gantry demo", "gantry demo --yes"] }),
});
