import { acpProbe } from "../acp/probe.ts";
import { dialect } from "./dialect.ts";
import { run } from "./run/channel.ts";

export const install = "npm install -g opencode-ai";

/** OpenCode keeps every conversation that was ever opened, so its models are asked for by a command of their own. */
export const probe = acpProbe({
  name: "OpenCode",
  install,
  dialect,
  depth: "greeting",
  models: ["models"],
  fallback: { argument: "acp", channel: run.name, means: "its print stream: no approvals, one process a turn" },
});
