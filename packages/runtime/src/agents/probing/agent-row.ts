import type { AgentRow, Capabilities, Mode, Problem } from "@gantry/protocol";
import type { Agent, Channel } from "../contract.ts";
import type { AgentEntry, Installed, NotInstalled } from "../finding/locate.ts";
import { entryInstallCommand, loginCommand } from "../finding/setup-commands.ts";
import { kitSupport } from "../kit/support.ts";
import { withFacts } from "./model-facts.ts";
import type { CachedProbe } from "./probe-cache.ts";
import { versionProblem, versionRange } from "./version-range.ts";

const notProbed: AgentRow["auth"] = { state: "unknown", how: "not installed" };

/** The row of a probed agent. */
export function probedRow(entry: AgentEntry, installed: Installed, { outcome, askedAt }: CachedProbe): AgentRow {
  const { agent } = entry;
  const { state, probe } = outcome;
  const login = probe.auth.state === "missing" ? loginCommand(entry, installed) : undefined;
  const { version, auth, models, problems, channel } = probe;
  const unsupported = versionProblem(agent, version);
  return {
    ...plainRow(agent, version),
    state,
    path: installed.path,
    version,
    auth,
    ...channelFacts(agent, channel, version),
    models: models?.length
      ? { source: "live", items: withFacts(models) }
      : { source: "fallback", items: withFacts(agent.fallbackModels) },
    problems: [...problems, ...(unsupported ? [unsupported] : [])],
    offers: login ? [login] : [],
    askedAt: new Date(askedAt).toISOString(),
  };
}

/** The row of an agent whose program is missing or cannot be started. */
export function absentRow(entry: AgentEntry, { state, path, problem }: NotInstalled): AgentRow {
  const install = state === "missing" ? entryInstallCommand(entry) : undefined;
  return { ...plainRow(entry.agent), state, path, problems: [problem], offers: install ? [install] : [] };
}

/** The row of an agent whose search failed. */
export function unknownRow(agent: Agent, problem: Problem): AgentRow {
  return { ...plainRow(agent), state: "unknown", problems: [problem] };
}

/** The row of an invalid local profile. */
export function brokenProfileRow(id: string, problem: Problem): AgentRow {
  return {
    id,
    name: id,
    state: "broken",
    auth: { state: "unknown", how: "the profile is invalid" },
    channel: "none",
    modes: [],
    steer: "queue",
    resume: "none",
    fork: false,
    models: { source: "fallback", items: [] },
    problems: [problem],
    offers: [],
  };
}

function plainRow(agent: Agent, version?: string): Omit<AgentRow, "state" | "problems"> {
  const versions = versionRange(agent, version);
  return {
    id: agent.id,
    name: agent.name,
    ...(versions ? { versions } : {}),
    auth: notProbed,
    ...channelFacts(agent),
    modes: Object.keys(agent.modes) as Mode[],
    ...(agent.unenforced ? { unenforced: agent.unenforced } : {}),
    ...(agent.lacks ? { lacks: agent.lacks } : {}),
    steer: agent.steer,
    resume: agent.resume,
    fork: agent.fork,
    edits: agent.edits,
    ...(agent.controls ? { controls: agent.controls } : {}),
    ...(agent.tasks ? { tasks: agent.tasks } : {}),
    ...(agent.demo ? { demo: true } : {}),
    models: { source: "fallback", items: withFacts(agent.fallbackModels) },
    offers: [],
  };
}

function capabilitiesOf(agent: Agent, channel: Channel<never> | undefined): Capabilities {
  const { can = [] } = agent;
  return {
    images: can.includes("images"),
    questions: can.includes("questions"),
    plan: agent.modes.plan !== undefined,
    steer: agent.steer === "inline",
    resume: agent.resume !== "none",
    fork: agent.fork,
    forkAt: can.includes("forkAt"),
    compaction: can.includes("compaction"),
    tasks: agent.tasks !== undefined,
    folders: channel?.takes?.folders !== undefined && agent.withoutFolders === undefined,
    commands: can.includes("commands"),
  };
}

/** The named channel, or the preferred one, and the kit parts it supports. */
function channelFacts(
  agent: Agent,
  name = agent.channels[0]?.name,
  version?: string,
): Pick<AgentRow, "channel" | "kit" | "capabilities"> {
  const channel = agent.channels.find((entry) => entry.name === name);
  const capabilities = capabilitiesOf(agent, channel);
  return { channel: name ?? "none", capabilities, ...(channel ? { kit: kitSupport(channel, version) } : {}) };
}
