import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Failure,
  failure,
  type Kit,
  ladder,
  type Mode,
  nearestMode,
  type Problem,
  type SessionView,
  withOffer,
} from "@gantry/protocol";
import type { Agent, Channel, LaunchOptions } from "../../agents/contract.ts";
import { agentEnvironment } from "../../agents/finding/environment.ts";
import { installCommand } from "../../agents/finding/setup-commands.ts";
import type { Store } from "../../log/port.ts";
import { type Launched, type LaunchFailure, launch } from "../../process/launcher.ts";
import type { Spool, SpoolPaths } from "../../process/spool.ts";
import { forkKey } from "../engine/outputs.ts";
import type { Talk } from "../exchange.ts";
import { composePreface, isSlashCommand, promptAsText, withPreface } from "./compose-prompt.ts";
import { supportedKit, withheld } from "./kit-support.ts";
import { give, writePrivateFile } from "./launch-files.ts";
import { fileList } from "./list-files.ts";
import { markOf } from "./mark.ts";
import type { Reminder } from "./pinned-context.ts";

/** An agent as it can be started here. */
export type Startable = {
  agent: Agent;
  command: readonly string[];
  env?: Record<string, string>;
  version?: string;
  channel: Channel<never>;
  kit: Kit;
  /** What of the kit cannot be given, to be told to the user. */
  problems: readonly Problem[];
};

/**
 * `withheld` says what the agent was not given, for the user to read; `standing` which standing words it has been told
 * by its start alone.
 */
export type Started =
  | { ok: true; launched: Launched; talk: Talk; withheld: readonly string[]; standing?: string }
  | { ok: false; failure: Failure };

export type StartRequest = {
  store: Store;
  spool: Spool;
  /** The daemon's environment for agents; the agent's own and the session's come on top of it. */
  env: Record<string, string>;
  id: string;
  now: () => string;
  view: SessionView;
  startable: Startable;
  /** Is the agent told where it works and what is there? `auto`: only one that does not find out by itself. */
  hints: "auto" | "always" | "never";
  /** What was said before, when the conversation is to be rebuilt from the log. */
  brief?: string;
  /** What a conversation that goes on must be told again; only for a process that gets its prompt at its start. */
  reminder?: Reminder;
  /** The standing words that the kit's instructions hold, by their hash. */
  standing?: string;
  /** Folders beside the session's own in which the agent may write. */
  folders?: readonly string[];
};

/** The rung that the agent will run on when `wanted` is asked for. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  const offered = [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit" as const];
  return nearestMode(wanted, offered) ?? "inherit";
}

/**
 * Starts a process for a session. Its row in the ledger and the first mark of its talk are there before it runs,
 * so that a daemon that dies in between leaves neither an orphan nor a process that nobody understands.
 */
export async function startProcess(request: StartRequest): Promise<Started> {
  const { store, spool, id, view, startable, now } = request;
  const { agent, channel, version } = startable;
  const paths = spool.create(view.id, id);
  const options = launchOptions(request, paths);
  const preface = options.resume ? undefined : await firstWords(request);
  const prompt = channel.perTurn ? promptOf(view, preface ?? request.reminder?.text, paths) : undefined;
  const told = prompt ? [prompt.message] : [];
  const all = prompt ? { ...options, prompt } : options;
  const state = channel.initial(all);
  const talk: Talk = { channel, state, ready: channel.perTurn === true, told, offset: 0 };
  if (preface && !channel.perTurn) talk.preface = preface;
  if (talk.preface && request.standing && !channel.takes?.instructions) talk.standing = request.standing;
  const how = channel.launch(all);
  const [bin = agent.id, ...before] = startable.command;
  const row = { id, session: view.id, agent: agent.id, bin, version, cwd: view.cwd, dir: paths.dir, createdAt: now() };
  store.processes.put(row);
  const mark = markOf(talk, new Map());
  store.commit({ session: view.id, events: [], spool: { process: id, offset: 0, mark } });
  give(paths.given, how);
  const launched = await launch({
    id,
    dir: paths.dir,
    bin,
    args: [...before, ...how.args],
    cwd: view.cwd,
    env: { ...request.env, ...startable.env, ...agentEnvironment(store.sessions.env(view.id)), ...how.env },
    stdin: prompt ? promptFile(paths, prompt.text) : "fifo",
  });
  if (!launched.ok) {
    store.processes.put({ ...row, endedAt: now() });
    store.spools.forget(id);
    return { ok: false, failure: explain(launched.failure, agent) };
  }
  const { pid, pgid, startedAt } = launched;
  store.processes.put({ ...row, pid, pgid, startedAt });
  const atOnce = channel.takes?.instructions && !options.resume;
  const withPrompt = prompt && !isSlashCommand(prompt.text) && (preface || request.reminder);
  const standing = atOnce || withPrompt ? request.standing : undefined;
  return { ok: true, launched, talk, withheld: withheld(startable), standing };
}

function launchOptions({ view, startable, folders = [] }: StartRequest, paths: SpoolPaths): LaunchOptions {
  const { agent, version, channel, kit } = startable;
  const own = view.handles[agent.id];
  const copied = view.handles[forkKey(agent.id)];
  return {
    cwd: view.cwd,
    model: view.model,
    mode: appliedMode(agent, view.mode),
    effort: view.effort,
    version,
    uuid: randomUUID(),
    dir: paths.given,
    kit: supportedKit(channel, kit),
    ...(channel.takes?.folders && folders.length > 0 ? { folders } : {}),
    ...(own ? { resume: own } : copied ? { resume: copied, fork: true } : {}),
  };
}

/** What a conversation is told before its first prompt. */
async function firstWords({ view, startable, hints, brief }: StartRequest): Promise<string | undefined> {
  const { channel, kit } = startable;
  const hinted = hints === "always" || (hints === "auto" && channel.blind === true);
  const folder = hinted ? { cwd: view.cwd, ...(await fileList(view.cwd)) } : undefined;
  return composePreface(channel, { kit, folder, brief });
}

/** The prompt of a process that takes one and ends, all of it in words. */
function promptOf(view: SessionView, preface: string | undefined, paths: SpoolPaths): LaunchOptions["prompt"] {
  const waiting = view.sent.find((entry) => entry.turn === view.turn?.id);
  if (!waiting) return undefined;
  const whole = promptAsText(waiting.text, waiting.attachments, ({ name, data }) => {
    const path = join(paths.given, "attachments", name);
    writePrivateFile(path, data);
    return path;
  });
  return { message: waiting.message, text: withPreface(whole, preface).text };
}

function promptFile(paths: SpoolPaths, text: string): { file: string } {
  const file = join(paths.dir, "prompt");
  writeFileSync(file, text, { mode: 0o600 });
  return { file };
}

function explain(problem: LaunchFailure, agent: Agent): Failure {
  const failed = failure("crashed", `${agent.name} could not be started: ${problem.message}.`, problem.remedy);
  return withOffer(failed, problem.code === "missing" ? installCommand(agent) : undefined);
}
