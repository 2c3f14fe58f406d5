import type { AgentRow, Mode, Problem } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import type { Installed, NotInstalled } from "./locate.ts";
import type { ProbeOutcome } from "./probe-agent.ts";

const notAsked: AgentRow["auth"] = { state: "unknown", how: "it is not installed" };

/** The row of an agent that was asked. */
export function askedRow(agent: Agent, installed: Installed, { state, probe }: ProbeOutcome): AgentRow {
  const { version, auth, models, problems, channel } = probe;
  return {
    ...plainRow(agent),
    state,
    path: installed.path,
    version,
    auth,
    channel: channel ?? firstChannel(agent),
    models: models?.length
      ? { source: "live", items: models }
      : { source: "fallback", items: [...agent.fallbackModels] },
    problems,
  };
}

/** The row of an agent whose program is not there or cannot be started. */
export function absentRow(agent: Agent, { state, path, problem }: NotInstalled): AgentRow {
  return { ...plainRow(agent), state, path, problems: [problem] };
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
  };
}

function plainRow(agent: Agent): Omit<AgentRow, "state" | "problems"> {
  return {
    id: agent.id,
    name: agent.name,
    auth: notAsked,
    channel: firstChannel(agent),
    modes: Object.keys(agent.modes) as Mode[],
    steer: agent.steer,
    resume: agent.resume,
    fork: agent.fork,
    models: { source: "fallback", items: [...agent.fallbackModels] },
  };
}

function firstChannel(agent: Agent): string {
  return agent.channels[0]?.name ?? "none";
}
