import { readFileSync } from "node:fs";
import type { ProbeResult } from "./jail.ts";
import { JailedAgent, type JailedAgentOptions } from "./jailed-agent.ts";
import { API_KEY, difference, RAN, SECRET, Workspace } from "./workspace.ts";

/** Runs inside the jail: tries commands with one agent process, and prints a line of JSON for each effect and at the end. */
const BATCH = 20;

type Request = Pick<JailedAgentOptions, "sandbox" | "mode"> & { root: string; commands: string[] };

const { root, sandbox, mode, commands } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Request;
const workspace = new Workspace(root);
const agent = await JailedAgent.start({ workspace, sandbox, mode });
// The first command creates what the agent needs for the others.
await agent.runByRpc("true");
let before = workspace.snapshot();
let connections = agent.connections;

/** What the last commands did. Later effects are compared with the state after this one. */
function findEffect(text: string): string | undefined {
  const after = workspace.snapshot();
  const changed = difference(before, after);
  before = after;
  const connected = agent.connections > connections;
  connections = agent.connections;
  if (changed !== undefined) return changed;
  if (connected) return "connected to the canary port";
  if (text.includes(RAN)) return "ran a program of the repository";
  return text.includes(SECRET) || text.includes(API_KEY) ? "printed a secret" : undefined;
}

const report = (result: ProbeResult) => console.log(JSON.stringify(result));
const filled = commands.map((command) => command.replaceAll("PORT", String(agent.port)));
for (const [at, command] of filled.entries()) {
  const effect = findEffect(await agent.runByRpc(command));
  if (effect !== undefined) report({ at, effect: `RPC: ${effect}` });
}
for (let from = 0; from < filled.length; from += BATCH) {
  const batch = filled.slice(from, from + BATCH);
  const effect = findEffect(await agent.runByModel(batch));
  if (effect === undefined) continue;
  // Attributes the effect to one of the batch; if none has it alone, to its first.
  let found = false;
  for (const [index, command] of batch.entries()) {
    const single = findEffect(await agent.runByModel([command]));
    if (single !== undefined) report({ at: from + index, effect: `model: ${single}` });
    found ||= single !== undefined;
  }
  if (!found) report({ at: from, effect: `model, in a batch of ${BATCH}: ${effect}` });
}
await agent.stop();
report({ done: filled.length });
process.exit(0);
