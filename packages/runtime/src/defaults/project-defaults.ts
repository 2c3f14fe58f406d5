import { dirname, join } from "node:path";
import { type Defaults, Defaults as DefaultsSchema, isModeWithin, type Mode } from "@gantry/protocol";
import { hashText, readRegularFile, realPath, statOf, type TrustItem } from "@gantry/trust";
import { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";

export const PROJECT_FILE = ".gantry/project.yml";

const MOST_BYTES = 256 * 1024;

/** The mode that a session has without any defaults. A project may choose it, and lower ones, without trust. */
export const BUILT_IN_MODE: Mode = "ask";

/** `.gantry/project.yml`. Unknown keys are errors with their line. */
export const ProjectFile = z.strictObject({
  defaults: DefaultsSchema.prefault({}),
  /** A project can only forbid that a model writes titles and lane names. */
  titles: z.strictObject({ model: z.boolean().optional() }).prefault({}),
});

/** The defaults of a project. `root` is the folder that has, or would have, the file. */
export type ProjectDefaults = {
  root: string;
  file?: string;
  text: string;
  defaults: Defaults;
  titles: { model?: boolean | undefined };
  mistakes: string[];
};

/**
 * Looks for the file in the folder and above it, up to the root of the checkout. Outside of a checkout it looks in the
 * folder only: other users may write to folders above it, such as /tmp. Never throws.
 */
export function readProjectDefaults(folder: string): ProjectDefaults {
  const folders = foldersOfProject(realPath(folder));
  for (const root of folders) {
    const file = join(root, PROJECT_FILE);
    const text = read(file);
    if (text !== undefined) return { root, file, text, ...parse(file, text) };
  }
  return { root: folders.at(-1) ?? folder, text: "", defaults: {}, titles: {}, mistakes: [] };
}

/** The folder and those above it, up to the root of its checkout. */
function foldersOfProject(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; !statOf(join(at, ".git")); folders.push(at)) {
    if (dirname(at) === at) return [folder];
    at = dirname(at);
  }
  return folders;
}

/** Whether the project of a folder lets a model write titles and lane names. */
export function allowsModelTitles(folder: string): boolean {
  return readProjectDefaults(folder).titles.model !== false;
}

/** A mistake makes the whole file count as empty. */
function parse(file: string, text: string): Pick<ProjectDefaults, "defaults" | "titles" | "mistakes"> {
  try {
    return { ...parseYaml(file, text, ProjectFile), mistakes: [] };
  } catch (error) {
    const message =
      error instanceof ConfigError ? error.message : `${file} cannot be read: ${(error as Error).message}`;
    // The switch of a file with a mistake is unknown, so no text leaves the machine.
    return { defaults: {}, titles: { model: false }, mistakes: [message] };
  }
}

function read(file: string): string | undefined {
  try {
    return readRegularFile(file, MOST_BYTES).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The defaults of a project that allow an agent more than the built-in mode. They count only after the user trusted them. */
export function permissionItems({ file, defaults }: ProjectDefaults): TrustItem[] {
  if (file === undefined) return [];
  const parts = [["", defaults] as const, ...Object.entries(defaults.agents ?? {})];
  const wanted = parts.flatMap(([agent, { mode, controls }]) => {
    const place = agent ? `${agent}: ` : "";
    return [
      ...(mode && !isModeWithin(mode, BUILT_IN_MODE) ? [`${place}mode ${mode}`] : []),
      ...Object.entries(controls ?? {}).map(([id, value]) => `${place}${id}=${value}`),
    ];
  });
  if (wanted.length === 0) return [];
  const command = wanted.join(", ");
  return [
    { kind: "agent-config", name: "defaults", file, command, hash: hashText(command), id: "project.yml defaults" },
  ];
}

/** The defaults without those that need trust. */
export function withoutPermissions({ agents, ...defaults }: Defaults): Defaults {
  const strip = <T extends Omit<Defaults, "agents">>({ mode, controls: _, ...rest }: T) =>
    mode && isModeWithin(mode, BUILT_IN_MODE) ? { ...rest, mode } : rest;
  const perAgent = Object.entries(agents ?? {}).map(([agent, own]) => [agent, strip(own)]);
  return { ...strip(defaults), ...(agents ? { agents: Object.fromEntries(perAgent) } : {}) };
}
