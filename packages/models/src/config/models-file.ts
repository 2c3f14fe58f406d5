import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import type { ConfigProblem } from "../registry-port.ts";
import { replaceFile } from "../replace-file.ts";
import { type ConfigDocument, parseConfig } from "./document.ts";
import { issueProblems, problemAt } from "./issues.ts";
import { providerProblem } from "./provider-rules.ts";
import {
  bindingsSchema,
  type Equivalence,
  equivalenceSchema,
  type ModelBindings,
  type ProfileConfig,
  type ProviderConfig,
  profileSchema,
  providerSchema,
} from "./schema.ts";

/** The merged model files. Leaves out each provider, profile or section that has a mistake, and nothing else. */
export type ModelsConfig = {
  providers: ReadonlyMap<string, ProviderConfig>;
  profiles: ReadonlyMap<string, ProfileConfig>;
  bindings: ModelBindings;
  equivalence: Equivalence;
  problems: readonly ConfigProblem[];
};

/** Files are read once, so compiling a schema would take longer than interpreting it. */
const ONCE = { jitless: true };

const SECTIONS = ["providers", "modelBindings", "equivalence", "profiles"];

/** The model files in order of precedence: a later file replaces an earlier file's entry for a provider as a whole. */
export function modelsFiles(home: string, agentDir: string): string[] {
  return [...new Set([join(home, "models.yml"), join(agentDir, "models.yml")])];
}

/** Reads and merges files. Never throws: unreadable files become problems. A missing file counts as empty. */
export function readModelsConfig(files: readonly string[]): ModelsConfig {
  const all = files.map(readModelsFile);
  const mergeLast = <T>(pick: (config: ModelsConfig) => ReadonlyMap<string, T>) =>
    new Map(all.flatMap((config) => [...pick(config)]));
  return {
    providers: mergeLast(({ providers }) => providers),
    profiles: mergeLast(({ profiles }) => profiles),
    bindings: {
      modelRoles: Object.assign({}, ...all.map(({ bindings }) => bindings.modelRoles)),
      agentModelOverrides: Object.assign({}, ...all.map(({ bindings }) => bindings.agentModelOverrides)),
    },
    equivalence: {
      overrides: Object.assign({}, ...all.map(({ equivalence }) => equivalence.overrides)),
      exclude: all.flatMap(({ equivalence }) => equivalence.exclude ?? []),
    },
    problems: all.flatMap(({ problems }) => problems),
  };
}

function readModelsFile(file: string): ModelsConfig {
  const problems: ConfigProblem[] = [];
  try {
    migrate(file);
    return existsSync(file) ? checkModels(file, readFileSync(file, "utf8")) : EMPTY;
  } catch (error) {
    problems.push({ file, path: "", message: `The file cannot be read: ${(error as Error).message}` });
  }
  return { ...EMPTY, problems };
}

const EMPTY: ModelsConfig = {
  providers: new Map(),
  profiles: new Map(),
  bindings: {},
  equivalence: {},
  problems: [],
};

/** Converts a legacy models.json to models.yml and renames the old file. */
function migrate(file: string): void {
  const old = join(dirname(file), "models.json");
  if (!file.endsWith("models.yml") || existsSync(file) || !existsSync(old)) return;
  const { value, problems } = parseConfig(`${old}c`, readFileSync(old, "utf8"));
  const [problem] = problems;
  if (problem) throw new Error(`${old}:${problem.line}:${problem.column} ${problem.message}`);
  replaceFile(file, stringify(value));
  renameSync(old, `${old}.migrated`);
}

/** Parses and validates the text of a model file. Pure. */
export function checkModels(file: string, text: string): ModelsConfig {
  const document = parseConfig(file, text);
  if (document.problems.length > 0) return { ...EMPTY, problems: document.problems };
  const root = document.value ?? {};
  if (!isRecord(root)) {
    return {
      ...EMPTY,
      problems: [problemAt(file, document, [], 'The file must be a map with keys such as "providers".')],
    };
  }
  const check = makeChecker(file, document);
  for (const key of Object.keys(root).filter((name) => !SECTIONS.includes(name))) {
    check.problems.push(
      problemAt(file, document, [key], `Unknown key "${key}". Remove it; known keys: ${SECTIONS.join(", ")}.`),
    );
  }
  return {
    providers: check.entries(root, "providers", providerSchema, providerProblem),
    profiles: check.entries(root, "profiles", profileSchema, () => undefined),
    bindings: check.section(root, "modelBindings", bindingsSchema) ?? {},
    equivalence: check.section(root, "equivalence", equivalenceSchema) ?? {},
    problems: check.problems,
  };
}

function makeChecker(file: string, document: ConfigDocument) {
  const problems: ConfigProblem[] = [];
  const checkValue = <T>(path: string[], value: unknown, schema: z.ZodType<T>): T | undefined => {
    const read = schema.safeParse(value, ONCE);
    if (read.success) return read.data;
    problems.push(...issueProblems(file, document, path, schema, read.error));
    return undefined;
  };
  return {
    problems,
    section<T>(root: Record<string, unknown>, name: string, schema: z.ZodType<T>): T | undefined {
      const value = root[name];
      return value === undefined || value === null ? undefined : checkValue([name], value, schema);
    },
    entries<T>(
      root: Record<string, unknown>,
      name: string,
      schema: z.ZodType<T>,
      rule: (id: string, entry: T) => { path: PropertyKey[]; message: string } | undefined,
    ): Map<string, T> {
      const found = new Map<string, T>();
      const all = checkValue([name], root[name] ?? {}, z.record(z.string(), z.unknown())) ?? {};
      for (const [id, value] of Object.entries(all)) {
        const entry = checkValue([name, id], value ?? {}, schema);
        const broken = /^[^\s/:]+$/.test(id)
          ? entry && rule(id, entry)
          : { path: [], message: `"${id}" must be a name without spaces, slashes and colons.` };
        if (broken) problems.push(problemAt(file, document, [name, id, ...broken.path], broken.message));
        else if (entry) found.set(id, entry);
      }
      return found;
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
