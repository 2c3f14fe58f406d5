import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { Websockets } from "../model.ts";
import { once } from "../once.ts";
import type { ConfigProblem } from "../registry-port.ts";
import { type ConfigDocument, parseConfig, pathText } from "./document.ts";
import { issueProblems } from "./issues.ts";
import type { ScopedEntry } from "./path-scopes.ts";

/** The settings of config.yml that concern models. */
export type ModelSettings = {
  modelRoles: Record<string, string>;
  agentModelOverrides: Record<string, string>;
  enabledModels: readonly ScopedEntry[];
  disabledProviders: readonly ScopedEntry[];
  modelProviderOrder: readonly string[];
  defaultProfile?: string;
  contextPromotion: boolean;
  kimiApiFormat: "openai" | "anthropic";
  openaiWebsockets: Websockets;
};

export const DEFAULT_SETTINGS: ModelSettings = {
  modelRoles: {},
  agentModelOverrides: {},
  enabledModels: [],
  disabledProviders: [],
  modelProviderOrder: [],
  contextPromotion: false,
  kimiApiFormat: "anthropic",
  openaiWebsockets: "auto",
};

const text = once(() => z.string().trim().min(1, "must not be empty"));
const list = once(() => z.union([text().transform((one) => [one]), z.array(text())]));

function scopedSchema(values: "models" | "providers") {
  const entry = z
    .strictObject({
      path: list().optional(),
      paths: list().optional(),
      pathPrefix: list().optional(),
      pathPrefixes: list().optional(),
      [values]: list().optional(),
      values: list().optional(),
    })
    .transform((found, context) => {
      const lists = found as Partial<Record<string, string[]>>;
      const pick = (...keys: string[]) => keys.flatMap((key) => lists[key] ?? []);
      const paths = pick("path", "paths", "pathPrefix", "pathPrefixes");
      const chosen = pick(values, "values");
      if (paths.length === 0) context.addIssue(`needs one of path, paths, pathPrefix, pathPrefixes`);
      if (chosen.length === 0) context.addIssue(`needs ${values} or values`);
      return { paths, values: chosen };
    });
  return z.array(z.union([text(), entry]));
}

const WEB_SEARCHES = [
  ...["auto", "duckduckgo", "exa", "brave", "jina", "kimi", "zai", "perplexity", "anthropic", "gemini", "codex"],
  ...["tavily", "kagi", "synthetic", "parallel", "searxng"],
];

/** Validated per key, so that a mistake in one does not discard the others. Ignores keys of other readers. */
const sections = once(() => ({
  modelRoles: z.record(text(), text()),
  enabledModels: scopedSchema("models"),
  disabledProviders: scopedSchema("providers"),
  modelProviderOrder: z.array(text()),
  modelProfile: z.looseObject({ default: text().optional() }),
  contextPromotion: z.looseObject({ enabled: z.boolean().optional() }),
  task: z.looseObject({ agentModelOverrides: z.record(text(), text()).optional() }),
  providers: z.strictObject({
    kimiApiFormat: z.enum(["openai", "anthropic"]).optional(),
    openaiWebsockets: z.enum(["auto", "off", "on"]).optional(),
    // Other agents with the same file have these. Gantry checks them and has no tool that uses them.
    webSearch: z.enum(WEB_SEARCHES).optional(),
    image: z.enum(["auto", "openai", "gemini", "openrouter", "antigravity"]).optional(),
    parallelFetch: z.boolean().optional(),
  }),
}));
type Schemas = ReturnType<typeof sections>;
type Sections = { [K in keyof Schemas]?: z.infer<Schemas[K]> };

export type SettingsRead = { settings: ModelSettings; problems: ConfigProblem[] };

/** Never throws: an unreadable file is a problem, and the defaults apply. */
export function readModelSettings(file: string): SettingsRead {
  try {
    return checkSettings(file, existsSync(file) ? readFileSync(file, "utf8") : "");
  } catch (error) {
    const message = `The file cannot be read: ${(error as Error).message}`;
    return { settings: DEFAULT_SETTINGS, problems: [{ file, path: "", message }] };
  }
}

export function checkSettings(file: string, content: string): SettingsRead {
  if (content === "") return { settings: DEFAULT_SETTINGS, problems: [] };
  const document = withDottedKeys(parseConfig(file, content));
  if (document.problems.length > 0) return { settings: DEFAULT_SETTINGS, problems: document.problems };
  const problems: ConfigProblem[] = [];
  const found: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(sections())) {
    const value = isRecord(document.value) ? sectionOf(document.value, key) : undefined;
    if (value === undefined || value === null) continue;
    const read = schema.safeParse(value, JITLESS);
    if (read.success) found[key] = read.data;
    else {
      problems.push(...issueProblems(file, document, [key], schema, flattenUnions(read.error)));
      found[key] = schema.safeParse(withoutMistakes(value, read.error), JITLESS).data;
    }
  }
  return { settings: settingsOf(found as Sections), problems };
}

const JITLESS = { jitless: true };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A section, also from keys such as `providers.openaiWebsockets: off`. */
function sectionOf(root: Record<string, unknown>, key: string): unknown {
  const dotted = Object.entries(root).filter(([name]) => name.startsWith(`${key}.`));
  if (dotted.length === 0) return root[key];
  const own = isRecord(root[key]) ? root[key] : {};
  return { ...own, ...Object.fromEntries(dotted.map(([name, value]) => [name.slice(key.length + 1), value])) };
}

/** Finds the position of a value also if its key is written with dots. */
function withDottedKeys(document: ConfigDocument): ConfigDocument {
  const { value } = document;
  const place: ConfigDocument["place"] = (path, key) => {
    const dotted = path.map((_, at) => pathText(path.slice(0, at + 1))).find((name, at) => at > 0 && has(name));
    return dotted === undefined ? document.place(path, key) : document.place([dotted], key);
  };
  const has = (name: string) => isRecord(value) && Object.hasOwn(value, name);
  return { ...document, place };
}

/** The keys of a section without those that have a mistake. */
function withoutMistakes(value: unknown, error: z.ZodError): unknown {
  if (!isRecord(value)) return undefined;
  const wrong = new Set(
    error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])])),
  );
  return Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
}

/** For a union of string and object, reports the object's issues, which are more specific. */
function flattenUnions(error: z.ZodError): z.ZodError {
  const issues = error.issues.flatMap((issue) => {
    if (issue.code !== "invalid_union") return [issue];
    const inner = issue.errors.at(-1) ?? [];
    return inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  });
  return new z.ZodError(issues);
}

function settingsOf(found: Sections): ModelSettings {
  const { modelProfile, contextPromotion, task, providers } = found;
  const settings: ModelSettings = {
    ...DEFAULT_SETTINGS,
    modelRoles: found.modelRoles ?? {},
    agentModelOverrides: task?.agentModelOverrides ?? {},
    enabledModels: found.enabledModels ?? [],
    disabledProviders: found.disabledProviders ?? [],
    modelProviderOrder: found.modelProviderOrder ?? [],
    contextPromotion: contextPromotion?.enabled ?? false,
    kimiApiFormat: providers?.kimiApiFormat ?? "anthropic",
    openaiWebsockets: providers?.openaiWebsockets ?? "auto",
  };
  return modelProfile?.default ? { ...settings, defaultProfile: modelProfile.default } : settings;
}
