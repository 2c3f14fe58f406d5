import type { AgentRow, Mode, Problem } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import { kitSupport } from "../kit/support.ts";
import type { Answer } from "./kept-answers.ts";
import type { AgentEntry, Installed, NotInstalled } from "./locate.ts";
import { installOffer, loginOffer } from "./offers.ts";

const notAsked: AgentRow["auth"] = { state: "unknown", how: "it is not installed" };

/** The row of an agent that was asked. */
export function askedRow(entry: AgentEntry, installed: Installed, { outcome, askedAt }: Answer): AgentRow {
  const { agent } = entry;
  const { state, probe } = outcome;
  const login = probe.auth.state === "missing" ? loginOffer(entry, installed) : undefined;
  const { version, auth, models, problems, channel } = probe;
  return {
    ...plainRow(agent),
    state,
    path: installed.path,
    version,
    auth,
    ...channelFacts(agent, channel),
    models: models?.length
      ? { source: "live", items: models }
      : { source: "fallback", items: [...agent.fallbackModels] },
    problems,
    offers: login ? [login] : [],
    askedAt: new Date(askedAt).toISOString(),
  };
}

/** The row of an agent whose program is not there or cannot be started. */
export function absentRow({ agent, own }: AgentEntry, { state, path, problem }: NotInstalled): AgentRow {
  // Installing the agent would not bring what a profile names in its place.
  const install = state === "missing" && !own ? installOffer(agent) : undefined;
  return { ...plainRow(agent), state, path, problems: [problem], offers: install ? [install] : [] };
}

/** The row of an agent that could not even be looked for. */
export function unknownRow(agent: Agent, problem: Problem): AgentRow {
  return { ...plainRow(agent), state: "unknown", problems: [problem] };
}

/** The row of a local profile that cannot be used: nothing but its problem is known. */
export function brokenProfileRow(id: string, problem: Problem): AgentRow {
  return {
    id,
    name: id,
    state: "broken",
    auth: { state: "unknown", how: "the profile cannot be used" },
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

function plainRow(agent: Agent): Omit<AgentRow, "state" | "problems"> {
  return {
    id: agent.id,
    name: agent.name,
    auth: notAsked,
    ...channelFacts(agent),
    modes: Object.keys(agent.modes) as Mode[],
    steer: agent.steer,
    resume: agent.resume,
    fork: agent.fork,
    edits: agent.edits,
    ...(agent.demo ? { demo: true } : {}),
    models: { source: "fallback", items: [...agent.fallbackModels] },
    offers: [],
  };
}

/** The channel of this name, or the best one there is, and what goes through it. */
function channelFacts({ channels }: Agent, name = channels[0]?.name): Pick<AgentRow, "channel" | "kit"> {
  const channel = channels.find((entry) => entry.name === name);
  return { channel: name ?? "none", ...(channel ? { kit: kitSupport(channel) } : {}) };
}
