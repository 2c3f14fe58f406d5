import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Failure, failure, ladder, type Mode, nearestMode, type SessionView } from "@gantry/protocol";
import type { Agent, Channel, LaunchOptions } from "../agents/contract.ts";
import type { Store } from "../log/port.ts";
import { type Launched, type LaunchFailure, launch } from "../process/launcher.ts";
import type { Spool, SpoolPaths } from "../process/spool.ts";
import { checkpointOf } from "./checkpoint.ts";
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

export type Started = { ok: true; launched: Launched; talk: Talk } | { ok: false; failure: Failure };

export type StartRequest = {
  store: Store;
  spool: Spool;
  /** The daemon's environment for agents; the agent's own and the session's come on top of it. */
  env: Record<string, string>;
  id: string;
  now: () => string;
  view: SessionView;
  startable: Startable;
};

/** The rung that the agent will run on when `wanted` is asked for. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  const offered = [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit" as const];
  return nearestMode(wanted, offered) ?? "inherit";
}

/**
 * Starts a process for a session. Its row in the ledger and the first checkpoint of its talk are there before it runs,
 * so that a daemon that dies in between leaves neither an orphan nor a process that nobody understands.
 */
export async function startProcess(request: StartRequest): Promise<Started> {
  const { store, spool, id, view, startable, now } = request;
  const { agent, channel, version } = startable;
  const options = launchOptions(view, agent, version, channel.perTurn === true);
  const told = options.prompt ? [options.prompt.message] : [];
  const talk = { channel, state: channel.initial(options), ready: channel.perTurn === true, told, offset: 0 };
  const { args, env } = channel.launch(options);
  const paths = spool.create(view.id, id);
  const [bin = agent.id, ...before] = startable.command;
  const row = { id, session: view.id, agent: agent.id, bin, version, cwd: view.cwd, dir: paths.dir, createdAt: now() };
  store.processes.put(row);
  const checkpoint = checkpointOf(talk, new Map());
  store.commit({ session: view.id, events: [], spool: { process: id, offset: 0, checkpoint } });
  const launched = await launch({
    id,
    dir: paths.dir,
    bin,
    args: [...before, ...args],
    cwd: view.cwd,
    env: { ...request.env, ...startable.env, ...store.sessions.env(view.id), ...env },
    stdin: options.prompt ? promptFile(paths, options.prompt.text) : "fifo",
  });
  if (!launched.ok) {
    store.processes.put({ ...row, endedAt: now() });
    store.spools.forget(id);
    return { ok: false, failure: explain(launched.failure, agent) };
  }
  const { pid, pgid, startedAt } = launched;
  store.processes.put({ ...row, pid, pgid, startedAt });
  return { ok: true, launched, talk };
}

function launchOptions(view: SessionView, agent: Agent, version: string | undefined, perTurn: boolean): LaunchOptions {
  const own = view.handles[agent.id];
  const copied = view.handles[forkKey(agent.id)];
  const waiting = perTurn ? view.sent.find((entry) => entry.turn === view.turn?.id) : undefined;
  return {
    cwd: view.cwd,
    model: view.model,
    mode: appliedMode(agent, view.mode),
    effort: view.effort,
    version,
    uuid: randomUUID(),
    ...(own ? { resume: own } : copied ? { resume: copied, fork: true } : {}),
    ...(waiting ? { prompt: { message: waiting.message, text: waiting.text } } : {}),
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
