import { buildCommand } from "@stricli/core";
import { docs, toggle } from "../parameters.ts";

export const trust = buildCommand({
  loader: async () => (await import("./trust.ts")).default,
  parameters: {
    flags: {
      show: toggle("Show what would run; change nothing"),
      revoke: toggle("Revoke the trust"),
      remove: toggle("The same as --revoke"),
      list: toggle("List all trusted folders"),
      yes: toggle("Do not ask"),
    },
    aliases: { y: "yes" },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Folder (this one)", placeholder: "path", parse: String, optional: true }],
    },
  },
  docs: docs("Let Gantry run what a folder supplies", {
    more: "Language servers, MCP servers, interpreters, set-up scripts of lanes, git hooks and filters of a folder run only after this. Trust is bound to the content of each of them.",
    examples: [
      "gantry trust",
      "gantry trust --show ~/work/shop",
      "gantry trust --yes ~/work/shop",
      "gantry trust --revoke",
      "gantry trust --list",
    ],
  }),
});
