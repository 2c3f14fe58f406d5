import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Failure, failure, ladder, type Mode, nearestMode, type SessionView } from "@gantry/protocol";
import type { Agent, Channel, LaunchOptions } from "../agents/contract.ts";
import type { Store } from "../log/port.ts";
import { type Launched, type LaunchFailure, launch } from "../process/launcher.ts";
import type { Spool, SpoolPaths } from "../process/spool.ts";
import { forkKey } from "./engine/agent-output.ts";
import type { Talk } from "./exchange.ts";

/** An agent as it can be started here. */
export type Startable = {
  agent: Agent;
  command: readonly string[];
  env?: Record<string, string>;
  version?: string;
  channel: Channel<never>;
};

export type Started = { ok: true; launched: Launched; paths: SpoolPaths; talk: Talk } | { ok: false; failure: Failure };

/** The rung that the agent will run on when `wanted` is asked for. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  const offered = [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit" as const];
  return nearestMode(wanted, offered) ?? "inherit";
}

/** Starts a process for a session. It is in the ledger before it runs, so that a crash in between leaves no orphan. */
export async function startProcess(deps: {
  store: Store;
  spool: Spool;
  env: Record<string, string>;
  sessionEnv: Record<string, string>;
  id: string;
  now: () => string;
  view: SessionView;
  startable: Startable;
}): Promise<Started> {
  const { store, spool, id, view, startable } = deps;
  const { agent, channel, version } = startable;
  const options = launchOptions(view, agent, version);
  const waiting = view.sent.find((entry) => entry.turn === view.turn?.id);
  if (channel.perTurn && waiting) options.prompt = { message: waiting.message, text: waiting.text };
  const { args, env } = channel.launch(options);
  const paths = spool.create(view.id, id);
  const [bin = agent.id, ...before] = startable.command;
  const row = {
    id,
    session: view.id,
    agent: agent.id,
    bin,
    version,
    cwd: view.cwd,
    dir: paths.dir,
    createdAt: deps.now(),
  };
  store.processes.put(row);
  const launched = await launch({
    id,
    dir: paths.dir,
    bin,
    args: [...before, ...args],
    cwd: view.cwd,
    env: { ...deps.env, ...startable.env, ...deps.sessionEnv, ...env },
    stdin: options.prompt ? promptFile(paths, options.prompt.text) : "fifo",
  });
  if (!launched.ok) {
    store.processes.put({ ...row, endedAt: deps.now() });
    return { ok: false, failure: explain(launched.failure, agent) };
  }
  const { pid, pgid, startedAt } = launched;
  store.processes.put({ ...row, pid, pgid, startedAt });
  const told = options.prompt ? [options.prompt.message] : [];
  const talk = { channel, state: channel.initial(options), ready: channel.perTurn === true, told, offset: 0 };
  return { ok: true, launched, paths, talk };
}

function launchOptions(view: SessionView, agent: Agent, version: string | undefined): LaunchOptions {
  const own = view.handles[agent.id];
  const copied = view.handles[forkKey(agent.id)];
  return {
    cwd: view.cwd,
    model: view.model,
    mode: appliedMode(agent, view.mode),
    effort: view.effort,
    version,
    uuid: randomUUID(),
    ...(own ? { resume: own } : copied ? { resume: copied, fork: true } : {}),
  };
}

function promptFile(paths: SpoolPaths, text: string): { file: string } {
  const file = join(paths.dir, "prompt");
  writeFileSync(file, text, { mode: 0o600 });
  return { file };
}

function explain(problem: LaunchFailure, agent: Agent): Failure {
  const remedy = problem.code === "missing" ? `Install it: ${agent.install.command}` : problem.remedy;
  return failure("crashed", `${agent.name} could not be started: ${problem.message}.`, remedy);
}
