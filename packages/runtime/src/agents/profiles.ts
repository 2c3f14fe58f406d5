import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  AgentId,
  type AgentRow,
  Mode,
  ModelId,
  nearestMode,
  type UnenforcedModes,
  VariableName,
} from "@gantry/protocol";
import { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";
import type { Agent } from "./contract.ts";
import type { AgentEntry } from "./finding/locate.ts";
import { packageOf } from "./listed/listed-agent.ts";
import { brokenProfileRow } from "./probing/agent-row.ts";

const ProfileModel = z.union(
  [
    ModelId.transform((id) => ({ id, name: id, default: false, efforts: [] as string[] })),
    z.strictObject({
      id: ModelId,
      name: z.string().min(1),
      default: z.boolean().default(false),
      efforts: z.array(z.string()).default([]),
    }),
  ],
  { error: "must be a model id, or a map of id, name, default and efforts" },
);

/** `GANTRY_HOME/agents/<id>.yml`: a user-defined agent based on a built-in one. */
const Profile = z.strictObject({
  id: AgentId,
  name: z.string().trim().min(1).max(60).optional(),
  /** The built-in agent whose channels it uses. */
  extends: z.string(),
  /** Program and leading arguments, replacing the built-in agent's program. */
  command: z.array(z.string().min(1)).min(1).optional(),
  env: z.record(VariableName, z.string()).default({}),
  /** The modes to offer, a subset of the base agent's. */
  modes: z.array(Mode).min(1).optional(),
  models: z.array(ProfileModel).min(1).optional(),
  /** Of an agent with two programs: the preferred channel of the one to use. */
  channel: z.string().optional(),
  /** Of a base whose programs print text: how the program gets the prompt. Default: on stdin. */
  prompt: z.enum(["stdin", "argument"]).optional(),
});
type Profile = z.infer<typeof Profile>;

export const PROFILE_ENDING = /\.ya?ml$/;

export type LoadedProfiles = { entries: AgentEntry[]; broken: AgentRow[] };

/** Profiles by path, with the text that each was parsed from. */
export type ParsedProfiles = Map<string, { text: string; entry: AgentEntry }>;

/**
 * Reads all local profiles. An invalid file becomes a row that lists its errors with line numbers; the other profiles
 * are unaffected. Never throws.
 */
export function loadProfiles(
  home: string,
  builtIn: readonly Agent[],
  bases: readonly Agent[] = [],
  parsed: ParsedProfiles = new Map(),
): LoadedProfiles {
  const entries: AgentEntry[] = [];
  const mistakes: { path: string; error: Error }[] = [];
  const paths = profileFiles(join(home, "agents"));
  for (const path of parsed.keys()) if (!paths.includes(path)) parsed.delete(path);
  for (const path of paths) {
    try {
      const text = readFileSync(path, "utf8");
      const known = parsed.get(path);
      const entry = known?.text === text ? known.entry : checkProfile(path, text, builtIn, bases);
      parsed.set(path, { text, entry });
      if (entries.some(({ agent }) => agent.id === entry.agent.id)) {
        throw new ConfigError(`${path}:1: id: another profile already has the id ${entry.agent.id}`);
      }
      entries.push(entry);
    } catch (error) {
      mistakes.push({ path, error: error as Error });
    }
  }
  const taken = new Set([...builtIn, ...entries.map(({ agent }) => agent)].map(({ id }) => id));
  return { entries, broken: mistakes.map(({ path, error }) => brokenProfile(path, error, taken)) };
}

/** The profile files in a folder, sorted by name. */
export function profileFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => PROFILE_ENDING.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Validates a profile's text under the name of its file. Throws `ConfigError`. */
export function checkProfile(
  path: string,
  text: string,
  builtIn: readonly Agent[],
  bases: readonly Agent[],
): AgentEntry {
  const profile = parseYaml(path, text, profileSchema(path, builtIn, bases));
  const base = [...builtIn, ...bases].find(({ id }) => id === profile.extends);
  if (!base) throw new ConfigError(`${path}: ${profile.extends} is not a built-in agent`);
  const packaged = packageOf(dirname(dirname(path)), profile);
  const agent = derive(variantOf(base, profile.channel) ?? base, profile);
  return {
    agent: packaged ? { ...agent, install: packaged.install } : agent,
    own: profile.command && { command: profile.command, source: path, ...packaged },
    env: profile.env,
    profile: { env: profile.env, hasProgram: profile.command !== undefined },
  };
}

/** Adds the checks that depend on the file name and on the available agents. */
function profileSchema(path: string, builtIn: readonly Agent[], bases: readonly Agent[]) {
  const stem = basename(path).replace(PROFILE_ENDING, "");
  const ids = [...builtIn, ...bases].map(({ id }) => id);
  return Profile.superRefine((profile, context) => {
    const complain = (at: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path: at, message });
    if (profile.id !== stem) complain(["id"], `must be ${stem}, the name of the file`);
    if (ids.includes(profile.id)) complain(["id"], `${profile.id} is a built-in agent; choose another id`);
    const base = [...builtIn, ...bases].find(({ id }) => id === profile.extends);
    if (base && bases.includes(base) && !profile.command) {
      complain(["extends"], `${base.id} has no program; set "command" to the program to start`);
    }
    if (base && profile.channel !== undefined && !variantOf(base, profile.channel)) {
      const channels = programsOf(base).map(({ channels: [first] }) => first?.name);
      complain(["channel"], `must be one of ${channels.join(", ")}`);
    }
    if (base && profile.prompt !== undefined && !base.argumentChannels) {
      complain(["prompt"], `${base.id} has its own way to get the prompt; omit "prompt"`);
    }
    if (!base) complain(["extends"], `must be one of ${ids.join(", ")}`);
    for (const [index, mode] of (profile.modes ?? []).entries()) {
      if (base && !(mode in base.modes)) complain(["modes", index], `${base.id} has no mode ${mode}`);
    }
  });
}

function pickModes(reasons: UnenforcedModes, modes: readonly Mode[]): UnenforcedModes {
  return Object.fromEntries(Object.entries(reasons).filter(([mode]) => modes.includes(mode as Mode)));
}

/** The agent's descriptors, one per program. */
function programsOf(agent: Agent): Agent[] {
  return agent.otherwise ? [agent, agent.otherwise] : [agent];
}

/** The descriptor that prefers this channel, alone; without a channel the agent unchanged. */
function variantOf(agent: Agent, channel: string | undefined): Agent | undefined {
  if (channel === undefined) return agent;
  const found = programsOf(agent).find(({ channels: [first] }) => first?.name === channel);
  return found && { ...found, otherwise: undefined };
}

function derive(base: Agent, profile: Profile): Agent {
  const offered = Object.keys(base.modes) as Mode[];
  // The other program of the agent may lack a mode: a lower one takes its place, as for a session.
  const modes = profile.modes?.flatMap((mode) => nearestMode(mode, offered) ?? []) ?? offered;
  const { models } = profile;
  return {
    ...base,
    id: profile.id,
    name: profile.name ?? profile.id,
    modes: Object.fromEntries(modes.map((mode) => [mode, base.modes[mode]])),
    unenforced: base.unenforced && pickModes(base.unenforced, modes),
    otherwise: base.otherwise && derive(base.otherwise, profile),
    fallbackModels: models ?? base.fallbackModels,
    ...(profile.prompt === "argument" && base.argumentChannels ? { channels: base.argumentChannels } : {}),
    async probe(tools) {
      const probe = await base.probe(tools);
      // The profile's model list wins, because the agent may run against another endpoint.
      return models ? { ...probe, models: undefined } : probe;
    },
  };
}

/** The row uses the file's name as its id, unless that is not a valid id or is taken. */
function brokenProfile(path: string, error: Error, taken: ReadonlySet<string>): AgentRow {
  const stem = basename(path).replace(PROFILE_ENDING, "");
  const usable = AgentId.safeParse(stem).success && !taken.has(stem);
  const slug = stem.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return brokenProfileRow(usable ? stem : `profile-${slug}`.slice(0, 40), {
    code: "profile_invalid",
    message: error instanceof ConfigError ? error.message : `${path} cannot be read: ${error.message}`,
    fix: `Correct ${path}; its keys are id, name, extends, command, env, modes, models, channel and prompt.`,
  });
}
