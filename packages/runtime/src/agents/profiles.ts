import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { AgentId, type AgentRow, Mode, ModelId } from "@gantry/protocol";
import { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";
import type { Agent } from "./contract.ts";
import { brokenProfileRow } from "./finding/agent-row.ts";
import type { AgentEntry } from "./finding/locate.ts";

const EnvName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable")
  .refine((name) => !name.startsWith("GANTRY_"), "is a variable of Gantry's own");

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

/** `GANTRY_HOME/agents/<id>.yml`: an agent of the user's own, made from a built-in one. */
const Profile = z.strictObject({
  id: AgentId,
  name: z.string().trim().min(1).max(60).optional(),
  /** The built-in agent whose way of talking it shares. */
  extends: z.string(),
  /** Program and first arguments, in place of the built-in agent's program. */
  command: z.array(z.string().min(1)).min(1).optional(),
  env: z.record(EnvName, z.string()).default({}),
  /** The rungs to offer, of those that the built-in agent has. */
  modes: z.array(Mode).min(1).optional(),
  models: z.array(ProfileModel).min(1).optional(),
});
type Profile = z.infer<typeof Profile>;

export const PROFILE_ENDING = /\.ya?ml$/;

export type LoadedProfiles = { entries: AgentEntry[]; broken: AgentRow[] };

/** Profiles by path, with the text that each was parsed from. */
export type ParsedProfiles = Map<string, { text: string; entry: AgentEntry }>;

/**
 * Reads all local profiles. A file that cannot be used becomes a row that reports its mistakes with their lines; the
 * others are not affected. A file whose text is the one in `parsed` is not parsed again. Never throws.
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
        throw new ConfigError(`${path}:1: id: another profile has the id ${entry.agent.id} already`);
      }
      entries.push(entry);
    } catch (error) {
      mistakes.push({ path, error: error as Error });
    }
  }
  const taken = new Set([...builtIn, ...entries.map(({ agent }) => agent)].map(({ id }) => id));
  return { entries, broken: mistakes.map(({ path, error }) => brokenProfile(path, error, taken)) };
}

/** The files of a folder that are profiles, by name. */
export function profileFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => PROFILE_ENDING.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The agent that a profile's text makes, under the name of its file. Throws `ConfigError`. */
export function checkProfile(
  path: string,
  text: string,
  builtIn: readonly Agent[],
  bases: readonly Agent[],
): AgentEntry {
  const profile = parseYaml(path, text, profileSchema(path, builtIn, bases));
  const base = [...builtIn, ...bases].find(({ id }) => id === profile.extends);
  if (!base) throw new ConfigError(`${path}: ${profile.extends} is not a built-in agent`);
  return {
    agent: derive(base, profile),
    own: profile.command && { command: profile.command, source: path },
    env: profile.env,
  };
}

/** The checks that need more than the file itself. */
function profileSchema(path: string, builtIn: readonly Agent[], bases: readonly Agent[]) {
  const stem = basename(path).replace(PROFILE_ENDING, "");
  const ids = [...builtIn, ...bases].map(({ id }) => id);
  return Profile.superRefine((profile, context) => {
    const complain = (at: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path: at, message });
    if (profile.id !== stem) complain(["id"], `must be ${stem}, as the file is named`);
    if (ids.includes(profile.id)) complain(["id"], `${profile.id} is a built-in agent; choose another id`);
    const base = [...builtIn, ...bases].find(({ id }) => id === profile.extends);
    if (base && bases.includes(base) && !profile.command) {
      complain(["extends"], `${base.id} has no program of its own: say with "command" what to start`);
    }
    if (!base) complain(["extends"], `must be one of ${ids.join(", ")}`);
    for (const [index, mode] of (profile.modes ?? []).entries()) {
      if (base && !(mode in base.modes)) complain(["modes", index], `${base.id} has no mode ${mode}`);
    }
  });
}

function derive(base: Agent, profile: Profile): Agent {
  const modes = profile.modes ?? (Object.keys(base.modes) as Mode[]);
  const { models } = profile;
  return {
    ...base,
    id: profile.id,
    name: profile.name ?? profile.id,
    modes: Object.fromEntries(modes.map((mode) => [mode, base.modes[mode]])),
    fallbackModels: models ?? base.fallbackModels,
    async probe(tools) {
      const probe = await base.probe(tools);
      // The user's own list stands, whatever the agent believes to offer behind another endpoint.
      return models ? { ...probe, models: undefined } : probe;
    },
  };
}

/** Its row is under the file's name, unless that is none or belongs to another. */
function brokenProfile(path: string, error: Error, taken: ReadonlySet<string>): AgentRow {
  const stem = basename(path).replace(PROFILE_ENDING, "");
  const usable = AgentId.safeParse(stem).success && !taken.has(stem);
  const word = stem.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return brokenProfileRow(usable ? stem : `profile-${word}`.slice(0, 40), {
    code: "profile_invalid",
    message: error instanceof ConfigError ? error.message : `${path} cannot be read: ${error.message}`,
    fix: `Correct ${path}; its keys are id, name, extends, command, env, modes and models.`,
  });
}
