import { acpProbe } from "../acp/probe.ts";
import { dialect } from "./dialect.ts";
import { run } from "./run/channel.ts";

export const install = "npm install -g opencode-ai";

/** OpenCode stores every opened conversation, so a separate command lists the models. */
export const probe = acpProbe({
  name: "OpenCode",
  install,
  dialect,
  depth: "greeting",
  models: ["models"],
  fallback: { argument: "acp", channel: run.name, means: "its print mode: no approvals, one process per turn" },
});
