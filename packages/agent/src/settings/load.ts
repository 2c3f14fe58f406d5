import { join } from "node:path";
import type { ConfigProblem } from "@gantry/models";
import { readRegularText } from "@gantry/trust";
import type { z } from "zod";
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from "./schema.ts";

export type LoadedSettings = { settings: Settings; problems: ConfigProblem[] };

type Raw = Record<string, unknown>;
type Place = { line?: number; column?: number };
type Read = { file: string; raw: Raw; problems: ConfigProblem[]; placeOf(path: readonly string[]): Place };

/** Keys that a project's config must not set, because a cloned project could extend its own permissions. */
const NOT_FOR_PROJECTS = [
  ["permissions"],
  ["auth"],
  ["providers"],
  ["sandbox"],
  ["sandboxShows"],
  ["secrets"],
  ["fetch", "allow"],
  ["extensions"],
  ["disabledExtensions"],
  ["claudeFiles"],
  ["mcp", "enableProjectConfig"],
];

/** Settings that change how a run proceeds. Clients of the RPC protocol rely on their defaults. */
const WORKFLOW = ["todo", "task"] as const;

/**
 * Reads `config.yml` of the agent's folder and of the project (`.gantry/config.yml`); the project wins. Never rejects: an
 * invalid key is reported with its line and gets its default. The exception is `sandbox`: if the user's choice cannot
 * be read, it counts as `required`.
 */
export async function loadSettings(where: { agentDir: string; cwd: string }): Promise<LoadedSettings> {
  const own = await readConfig(join(where.agentDir, "config.yml"));
  const project = await readConfig(join(where.cwd, ".gantry", "config.yml"));
  if (!own && !project) return { settings: structuredClone(DEFAULT_SETTINGS), problems: [] };
  if (project) removeProtectedKeys(project);
  const sandbox = own ? sandboxOf(own) : DEFAULT_SETTINGS.sandbox;
  const files = [own, project].filter((each) => each !== undefined);
  for (const each of files) validate(each);
  const merged = files.reduce<Raw>((all, each) => merge(all, each.raw), {});
  const parsed = settingsSchema().safeParse(merged);
  return {
    settings: { ...(parsed.success ? parsed.data : structuredClone(DEFAULT_SETTINGS)), sandbox },
    problems: files.flatMap((each) => each.problems),
  };
}

/** Settings of a program: the defaults with these values. */
export function parseSettings(values: Record<string, unknown>): LoadedSettings {
  const read: Read = { file: "", raw: nestKeys(structuredClone(values)), problems: [], placeOf: () => ({}) };
  validate(read);
  return { settings: settingsSchema().parse(read.raw), problems: read.problems };
}

export function withDefaultWorkflow(settings: Settings): Settings {
  const defaults = structuredClone(DEFAULT_SETTINGS);
  return { ...settings, ...Object.fromEntries(WORKFLOW.map((key) => [key, defaults[key]])) };
}

/** Called before `validate` removes invalid keys: an unreadable choice must not weaken the sandbox. */
function sandboxOf({ raw, problems }: Read): Settings["sandbox"] {
  const parsed = settingsSchema().shape.sandbox.safeParse(raw.sandbox);
  return parsed.success && problems.length === 0 ? parsed.data : "required";
}

async function readConfig(file: string): Promise<Read | undefined> {
  let text: string;
  try {
    text = readRegularText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { file, raw: {}, problems: [{ file, path: "", message }], placeOf: () => ({}) };
  }
  return await parse(file, text);
}

async function parse(file: string, text: string): Promise<Read> {
  const { LineCounter, parseDocument, isNode } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = document.errors.map(
    (error): ConfigProblem => ({ file, path: "", message: error.message.split("\n")[0] ?? "", ...at(error.pos[0]) }),
  );
  const placeOf = (path: readonly string[]): Place => {
    const node = document.hasIn(path) ? document.getIn(path, true) : document.getIn([path.join(".")], true);
    return isNode(node) && node.range ? at(node.range[0]) : {};
  };
  if (problems.length > 0) return { file, raw: {}, problems, placeOf };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Too many aliases.
    return { file, raw: {}, problems: [{ file, path: "", message: (error as Error).message }], placeOf };
  }
  if (value === null || value === undefined) return { file, raw: {}, problems, placeOf };
  if (!isRecord(value)) {
    return {
      file,
      raw: {},
      problems: [{ file, path: "", message: "The file must contain keys with values.", line: 1 }],
      placeOf,
    };
  }
  return { file, raw: nestKeys(value), problems, placeOf };
}

/** `retry.maxRetries: 3` means the same as `retry: {maxRetries: 3}`. */
function nestKeys(flat: Raw): Raw {
  return Object.entries(flat).reduce<Raw>((all, [key, value]) => {
    const wrapped = key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    return merge(all, wrapped as Raw);
  }, {});
}

function merge(under: Raw, over: Raw): Raw {
  const merged: Raw = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const both = isRecord(known) && isRecord(value) ? merge(known, value) : value;
    Object.defineProperty(merged, key, { value: both, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

function removeProtectedKeys(project: Read): void {
  for (const path of NOT_FOR_PROJECTS) {
    if (!remove(project.raw, path)) continue;
    const message = "A project cannot set this key. Set it in your own config.yml.";
    project.problems.push({ file: project.file, path: path.join("."), message, ...project.placeOf(path) });
  }
}

/** Removes and reports invalid keys until the rest is valid. */
function validate(read: Read): void {
  for (let round = 0; round < 20; round += 1) {
    const parsed = settingsSchema().safeParse(read.raw);
    if (parsed.success) return;
    for (const issue of parsed.error.issues) reportIssue(read, issue);
  }
  read.raw = {};
}

function reportIssue(read: Read, issue: z.core.$ZodIssue): void {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) removeKey(read, [...path, key], "Unknown key.");
    return;
  }
  removeKey(read, path, issue.message);
}

function removeKey(read: Read, path: readonly string[], message: string): void {
  const place = read.placeOf(path);
  remove(read.raw, path);
  read.problems.push({ file: read.file, path: path.join("."), message, ...place });
}

/** Returns whether the key existed. */
function remove(raw: Raw, path: readonly string[]): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), raw);
  const last = path.at(-1);
  if (Array.isArray(parent) && last !== undefined) return parent.splice(Number(last), 1).length > 0;
  if (!isRecord(parent) || last === undefined || !Object.hasOwn(parent, last)) return false;
  delete parent[last];
  return true;
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
