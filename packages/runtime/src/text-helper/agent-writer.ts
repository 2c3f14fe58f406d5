import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ladder, type Mode } from "@gantry/protocol";
import type { ResolvedAgent } from "../agents/catalogue.ts";
import type { Agent } from "../agents/contract.ts";
import { killOrphansIn } from "../agents/finding/brief-process.ts";
import { MARKER } from "../process/identity.ts";
import type { Processes } from "../process/ledger.ts";
import { type OneShotResult, oneShot } from "./one-shot.ts";

export type AgentWriterDeps = {
  /** Throws when the agent is unknown or cannot be started here. */
  resolve: (agent: string) => Promise<ResolvedAgent>;
  /** Environment of agents: the daemon's without its private part. */
  env: Record<string, string>;
  /** Records the process, so that the next daemon ends it after a crash. */
  processes: Processes;
  id: () => string;
  now: () => string;
};

export type AgentWriterRequest = {
  /** The ledger's name for the owner of the process. */
  account: string;
  agent: string;
  model?: string | undefined;
  /** Variables on top of the daemon's. */
  env: Record<string, string>;
  prompt: string;
  maxChars: number;
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * Prompts one of the user's agents in a single-turn conversation that is not a session: in an empty folder, in the lowest
 * mode, without a kit. Throws when the agent cannot be started.
 */
export async function writeWithAgent(deps: AgentWriterDeps, request: AgentWriterRequest): Promise<OneShotResult> {
  const { env, processes, resolve, now } = deps;
  const { account, agent: id, model, prompt, maxChars, timeoutMs, signal } = request;
  const { agent, bin, channel, version } = await resolve(id);
  const folder = mkdtempSync(join(tmpdir(), "gantry-text-helper-"));
  const [cwd, dir] = [join(folder, "empty"), join(folder, "given")];
  for (const made of [cwd, dir]) mkdirSync(made, { mode: 0o700 });
  const process = deps.id();
  const program = bin.command[0] ?? id;
  processes.put({ id: process, session: account, agent: id, bin: program, cwd, dir, createdAt: now() });
  try {
    return await oneShot({
      channel,
      command: bin.command,
      env: { ...env, ...bin.env, ...request.env, [MARKER]: process },
      mode: lowestMode(agent),
      ...{ version, model, cwd, dir, prompt, maxChars, timeoutMs, signal },
    });
  } finally {
    await killOrphansIn(folder);
    processes.forget(process);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Not `inherit` if any other mode exists: that is the user's configuration with all its grants. */
function lowestMode(agent: Agent): Mode {
  return ladder.find((rung) => agent.modes[rung] !== undefined) ?? "inherit";
}
