import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Failure,
  failure,
  type Kit,
  type McpServer,
  type Problem,
  type SessionView,
  withOffer,
} from "@gantry/protocol";
import { appliedMode } from "../../agents/applied-mode.ts";
import type { Agent, Channel, LaunchOptions, ServerKind } from "../../agents/contract.ts";
import { agentEnvironment } from "../../agents/finding/environment.ts";
import { installCommand } from "../../agents/finding/setup-commands.ts";
import { serverKinds, takesSkills } from "../../agents/kit/support.ts";
import { forkKey } from "../../handoff/strategy.ts";
import type { Store } from "../../log/port.ts";
import { writeLaunchFiles, writePrivateFile } from "../../process/launch-files.ts";
import { type Launched, type LaunchFailure, launch } from "../../process/launcher.ts";
import type { Spool, SpoolPaths } from "../../process/spool.ts";
import { stop } from "../../process/stop.ts";
import { isSlashCommand, withPreface } from "../engine/prompts.ts";
import type { Conversation, Injection } from "../engine/state.ts";
import { composePreface, listFiles, promptAsText } from "./compose-prompt.ts";
import { encodeMark } from "./mark.ts";

const UNRECORDED_GRACE_MS = 500;

/** An installed agent with everything that starting it needs. */
export type Startable = {
  agent: Agent;
  command: readonly string[];
  env?: Record<string, string>;
  version?: string;
  channel: Channel<never>;
  kit: Kit;
  /** Broken parts of the kit, for the user. */
  problems: readonly Problem[];
};

/** `notices`: unsupported parts of the kit. `pinnedHash`: the pinned context that the start itself injected. */
export type StartResult =
  | { ok: true; launched: Launched; conversation: Conversation; notices: readonly string[]; pinnedHash?: string }
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
  /** Does the first prompt describe the working folder? `auto`: only for an agent that does not look itself. */
  hints: "auto" | "always" | "never";
  /** The brief of a conversation that is rebuilt from the log. */
  brief?: string;
  /** Pinned context for a resumed conversation; only for a process that gets its prompt at start. */
  injection?: Injection;
  /** Hash of the pinned context in the kit's instructions. */
  pinnedHash?: string;
  /** Folders outside the session's own in which the agent may write. */
  folders?: readonly string[];
  /** Notices about further folders that are left out. */
  missing?: readonly string[];
  /** Only for a project with code for the agent. `untrusted`: the agent must ignore it, and its channel can do that. */
  project?: "trusted" | "untrusted";
};

/**
 * Starts a process for a session. Its row in the ledger and its first mark are stored before it runs, so that a daemon
 * that dies in between leaves neither an orphan nor a process that cannot be decoded.
 */
export async function startProcess(request: StartRequest): Promise<StartResult> {
  const { store, spool, id, view, startable, now } = request;
  const { agent, channel, version } = startable;
  const paths = spool.create(view.id, id);
  const env = { ...request.env, ...startable.env, ...agentEnvironment(store.sessions.env(view.id)) };
  const ownRules = channel.readOwnRules?.({ env, cwd: view.cwd });
  const options = { ...launchOptions(request, paths), ...(ownRules ? { ownRules } : {}) };
  const preface = options.resume ? undefined : await firstPreface(request);
  const prompt = channel.perTurn ? initialPrompt(view, preface ?? request.injection?.text, paths) : undefined;
  const all = prompt ? { ...options, prompt } : options;
  const conversation: Conversation = {
    channel,
    state: channel.initial(all),
    ready: channel.perTurn === true,
    prompted: prompt ? [prompt.message] : [],
    offset: 0,
  };
  if (preface && !channel.perTurn) conversation.preface = preface;
  if (conversation.preface && !channel.takes?.instructions) conversation.pinnedHash = request.pinnedHash;
  const launchSpec = channel.launch(all);
  const [bin = agent.id, ...before] = startable.command;
  const row = { id, session: view.id, agent: agent.id, bin, version, cwd: view.cwd, dir: paths.dir, createdAt: now() };
  store.processes.put(row);
  const mark = encodeMark(conversation, new Map());
  store.commit({ session: view.id, events: [], spool: { process: id, offset: 0, mark } });
  writeLaunchFiles(paths.given, launchSpec, env);
  const launched = await launch({
    id,
    dir: paths.dir,
    bin,
    args: [...before, ...launchSpec.args],
    cwd: view.cwd,
    env: { ...env, ...launchSpec.env },
    stdin: prompt ? promptFile(paths, prompt.text) : "fifo",
  });
  if (!launched.ok) {
    store.processes.put({ ...row, endedAt: now() });
    store.spools.forget(id);
    return { ok: false, failure: describeFailure(launched.failure, agent) };
  }
  const { pid, pgid, startedAt } = launched;
  try {
    store.processes.put({ ...row, pid, pgid, startedAt });
  } catch (error) {
    // Nothing would end a process that is not recorded.
    await stop(launched, { graceMs: UNRECORDED_GRACE_MS });
    throw error;
  }
  const asInstructions = channel.takes?.instructions && !options.resume;
  const inPrompt = prompt && !isSlashCommand(prompt.text) && (preface || request.injection);
  const pinnedHash = asInstructions || inPrompt ? request.pinnedHash : undefined;
  const notices = [...unsupportedNotices(startable), ...(request.missing ?? []), ...folderNotices(request)];
  return { ok: true, launched, conversation, notices, pinnedHash };
}

function launchOptions({ view, startable, project, folders = [] }: StartRequest, paths: SpoolPaths): LaunchOptions {
  const { agent, version, channel, kit } = startable;
  const own = view.handles[agent.id];
  const copied = view.handles[forkKey(agent.id)];
  return {
    cwd: view.cwd,
    model: view.model,
    mode: appliedMode(agent, view.mode),
    effort: view.effort,
    ...(view.controls ? { controls: view.controls } : {}),
    version,
    uuid: randomUUID(),
    dir: paths.given,
    kit: supportedKit(channel, kit, version),
    ...(project ? { project } : {}),
    ...(channel.takes?.folders && folders.length > 0 ? { folders } : {}),
    ...(own ? { resume: own } : copied ? { resume: copied, fork: true } : {}),
  };
}

/** The text before the first prompt of a new conversation. */
async function firstPreface(request: StartRequest): Promise<string | undefined> {
  const { view, startable, hints, brief, folders = [] } = request;
  const { channel, kit, version } = startable;
  const hinted = hints === "always" || (hints === "auto" && channel.blind === true);
  const folder = hinted ? { cwd: view.cwd, ...(await listFiles(view.cwd)) } : undefined;
  // An agent without a boundary only has to know the folders.
  const named = channel.takes?.folders === "named" ? folders : [];
  return composePreface(channel, { kit, version, folder, brief, named });
}

/** The prompt of a process that runs for one turn, as text. */
function initialPrompt(view: SessionView, preface: string | undefined, paths: SpoolPaths): LaunchOptions["prompt"] {
  const sent = view.sent.find((entry) => entry.turn === view.turn?.id);
  if (!sent) return undefined;
  const text = promptAsText(sent.text, sent.attachments, ({ name, data }) => {
    const path = join(paths.given, "attachments", name);
    writePrivateFile(path, data);
    return path;
  });
  return { message: sent.message, text: withPreface(text, preface) };
}

function promptFile(paths: SpoolPaths, text: string): { file: string } {
  const file = join(paths.dir, "prompt");
  writeFileSync(file, text, { mode: 0o600 });
  return { file };
}

function describeFailure(problem: LaunchFailure, agent: Agent): Failure {
  const failed = failure("crashed", `${agent.name} could not be started: ${problem.message}.`, problem.remedy);
  return withOffer(failed, problem.code === "missing" ? installCommand(agent) : undefined);
}

/** The kit without the MCP servers and skills that the channel does not pass on. */
export function supportedKit(channel: Channel<never>, kit: Kit, version?: string): Kit {
  const kinds = serverKinds(channel, version);
  const skills = takesSkills(channel, version) ? kit.skills : [];
  return { ...kit, skills, servers: kit.servers.filter((server) => kinds.includes(kindOf(server))) };
}

/** Notices about the parts of the kit that the agent does not get. */
export function unsupportedNotices({ agent, channel, kit, problems, version }: Startable): string[] {
  const supported = supportedKit(channel, kit, version).servers;
  const unsupported = kit.servers.filter((server) => !supported.includes(server));
  const broken = problems.map(({ message }) => message);
  if (unsupported.length === 0) return broken;
  const names = unsupported.map(({ name }) => name).join(", ");
  const are = unsupported.length === 1 ? "is" : "are";
  const kinds = [...new Set(unsupported.map(kindOf))].join(" or ");
  const what = serverKinds(channel, version).length > 0 ? `MCP servers over ${kinds}` : "MCP servers";
  return [...broken, `${agent.name} does not support ${what}: ${names} ${are} not available to it.`];
}

/** The notice about further folders that the agent cannot use. */
function folderNotices({ view, startable: { agent, channel } }: StartRequest): string[] {
  if (!view.folders?.length || channel.takes?.folders) return [];
  const reason = agent.withoutFolders ?? `${agent.name} works in one folder.`;
  return [`The further folders are not available to the agent: ${view.folders.join(", ")}. ${reason}`];
}

function kindOf(server: McpServer): ServerKind {
  return "command" in server ? "stdio" : server.transport;
}
