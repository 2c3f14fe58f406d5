import { homedir, platform, release } from "node:os";
import {
  agentFolder,
  gantryFolder,
  type OpenCredentials,
  type OpenModels,
  openCredentials,
  openModels,
} from "@gantry/models";
import { SessionError } from "../contract/session.ts";
import type { Tool } from "../contract/tool.ts";
import type { MarkdownCommand } from "../extensions/commands/markdown.ts";
import { readTemplates } from "../extensions/commands/templates.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { gitBranch } from "../prompt/git-branch.ts";
import { systemPrompt } from "../prompt/system.ts";
import { type ContextFile, contextFiles } from "../rules/context-files.ts";
import { createRules } from "../rules/create-rules.ts";
import { type LoadedSettings, loadSettings, parseSettings } from "../settings/load.ts";
import type { Settings } from "../settings/schema.ts";
import { readSkills, skillFolders } from "../start/skills.ts";

type Environment = Record<string, string | undefined>;

/** Where to look. Default: the folder and the environment of this process. */
export type DiscoverPlace = { cwd?: string; env?: Environment; agentDir?: string };

type KnownPlace = { cwd: string; env: Environment; agentDir: string; home: string };

function placeOf({ cwd = process.cwd(), env = process.env, agentDir }: DiscoverPlace): KnownPlace {
  return { cwd, env, agentDir: agentDir ?? agentFolder(env), home: env.HOME ?? homedir() };
}

/** The settings of the user and the project. An invalid key is reported in `problems` and has its default. */
export function discoverSettings(place: DiscoverPlace = {}): Promise<LoadedSettings> {
  return loadSettings(placeOf(place));
}

/**
 * Settings that depend on no file: the defaults with these values, nested or with dotted keys as in config.yml. Throws a
 * `SessionError` for an unknown key or an invalid value.
 */
export function isolatedSettings(values: Record<string, unknown> = {}): Settings {
  const { settings, problems } = parseSettings(values);
  const [problem] = problems;
  if (problem) throw new SessionError(`The setting ${problem.path} is not valid: ${problem.message}`);
  return settings;
}

/** The stored credentials of this machine and the keys of the environment. The caller closes them. */
export async function discoverCredentials(place: DiscoverPlace = {}): Promise<OpenCredentials> {
  const { env, agentDir } = placeOf(place);
  const credentials = openCredentials({ env, agentDir });
  await credentials.ready();
  return credentials;
}

/** The models of this machine with their credentials. The caller closes them. */
export async function discoverModels(place: DiscoverPlace = {}): Promise<OpenModels> {
  const { env, agentDir, cwd } = placeOf(place);
  const models = openModels({ env, agentDir, cwd, home: gantryFolder(env) });
  await models.credentials.ready();
  return models;
}

/** The instruction files (`AGENTS.md` and others) that apply to a folder, from the most general to the nearest. */
export function discoverContextFiles(place: DiscoverPlace = {}): ContextFile[] {
  return contextFiles(placeOf(place), []);
}

export type DiscoveredSkill = { name: string; description: string; path: string };

/** The skills of the project and the user. `folders` come first. */
export async function discoverSkills(
  place: DiscoverPlace & { folders?: readonly string[] } = {},
): Promise<DiscoveredSkill[]> {
  const { commands } = await skillsOf(placeOf(place), place.folders);
  return commands.map(({ name, description, path }) => ({ name: name.slice("skill:".length), description, path }));
}

function skillsOf({ cwd, agentDir }: KnownPlace, folders?: readonly string[]) {
  return readSkills(skillFolders(cwd, agentDir, folders), []);
}

/** A Markdown command of a file. `body` is the text with its placeholders. */
export type PromptTemplate = MarkdownCommand;

/** The Markdown commands that a session in this place offers: the user's, and those of a trusted project. Runs nothing. */
export async function discoverPromptTemplates(place: DiscoverPlace = {}): Promise<PromptTemplate[]> {
  const known = placeOf(place);
  const { settings } = await loadSettings(known);
  return await readTemplates({ ...known, gantryHome: gantryFolder(known.env) }, settings);
}

export type SystemPromptOptions = DiscoverPlace & {
  /** Replaces the built-in base prompt. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  tools?: readonly Tool[];
  mode?: PermissionMode;
  folders?: readonly string[];
};

/** The system prompt of a session in this folder, in blocks: base prompt, tools, rules and context files, skills, facts. */
export async function buildSystemPrompt(options: SystemPromptOptions = {}): Promise<string[]> {
  const place = placeOf(options);
  const [rules, skills, branch] = await Promise.all([createRules(place), skillsOf(place), gitBranch(place.cwd)]);
  const append = [skills.prompt, options.appendSystemPrompt].filter((text) => text !== undefined).join("\n\n");
  return systemPrompt({
    ...(options.systemPrompt === undefined ? {} : { custom: options.systemPrompt }),
    append,
    tools: options.tools ?? [],
    schemes: [],
    rules: rules.system(),
    mode: options.mode ?? "ask",
    cwd: place.cwd,
    folders: options.folders ?? [],
    day: new Date().toISOString().slice(0, 10),
    platform: `${platform()} ${release()}`,
    ...(branch === undefined ? {} : { gitBranch: branch }),
  });
}
