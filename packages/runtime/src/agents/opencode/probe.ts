import type { Model } from "@gantry/protocol";
import { acpProbe } from "../acp/probe.ts";
import type { Probe, ProbeTools } from "../contract.ts";
import { dialect } from "./dialect.ts";
import { run } from "./run/channel.ts";

export const install = "npm install -g opencode-ai";

const LIST_MS = 20_000;

const greet = acpProbe({
  name: "OpenCode",
  install,
  dialect,
  depth: "greeting",
  fallback: { argument: "acp", channel: run.name, means: "its print stream: no approvals, one process a turn" },
});

/** OpenCode keeps every conversation that was ever opened, so its models are asked for by a command of their own. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const [greeted, models] = await Promise.all([greet(tools), readModels(tools)]);
  return models.length > 0 && greeted.ok ? { ...greeted, models } : greeted;
}

/** One `provider/model` a line. */
async function readModels(tools: ProbeTools): Promise<Model[]> {
  const { code, stdout } = await tools.run(["models"], { timeoutMs: LIST_MS });
  if (code !== 0) return [];
  const ids = stdout.split("\n").filter((line) => /^[\w.-]+\/\S+$/.test(line));
  return ids.map((id) => ({ id, name: id, default: false, efforts: [] }));
}
