import { buildCommand } from "@stricli/core";
import { docs, toggle } from "../parameters.ts";

export const upgrade = buildCommand({
  loader: async () => (await import("./upgrade.ts")).upgrade,
  parameters: {
    flags: { check: toggle("Only report whether there is a newer version") },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Tarball, or version in the registry (the latest)",
          placeholder: "version",
          parse: String,
          optional: true,
        },
      ],
    },
  },
  docs: docs("Install a newer version and restart the daemon", {
    more: "The new version is installed next to the old one and started once before anything changes. Running turns continue: agents\nwrite to files, and the new daemon resumes them. In a clone, the command prints what to do instead.",
    examples: ["gantry upgrade", "gantry upgrade --check", "gantry upgrade ./gantry-1.2.3.tgz"],
  }),
});

export const version = buildCommand({
  loader: async () => (await import("./upgrade.ts")).printVersion,
  parameters: {},
  docs: docs("Print the version", { examples: ["gantry version", "gantry version --json"] }),
});
