import {
  type Credential,
  type Credentials,
  CUSTOM_DEFAULTS,
  createModelRegistry,
  DEFAULT_SETTINGS,
  type FullModelRegistry,
  type Model,
  type ModelRegistry,
  type OpenCredentials,
  rememberSecret,
} from "@gantry/models";

/** A model of a program. Missing fields have the defaults of models.yml; `api` and `baseUrl` are needed without a `stream`. */
export type ModelInput = Pick<Model, "provider" | "id"> & Partial<Model>;

/**
 * A registry with these models only: it reads no file and makes no network requests. All of them are available; a
 * request for one without a key fails.
 */
export function createModelList(models: readonly ModelInput[]): ModelRegistry {
  const all = models.map(
    (input): Model => ({ ...CUSTOM_DEFAULTS, name: input.id, api: "openai-completions", baseUrl: "", ...input }),
  );
  const providers = Map.groupBy(all, ({ provider }) => provider);
  return createModelRegistry({
    home: "",
    cwd: "",
    env: {},
    files: [],
    settings: DEFAULT_SETTINGS,
    catalogue: { source: "the program", made: "", providers },
    cacheFile: ":memory:",
    credentials: { has: () => true, get: async () => undefined },
    fetch: () => Promise.reject(new Error("This registry makes no requests.")),
  });
}

/** Credentials with these keys only, by provider. */
export function createKeys(keys: Readonly<Record<string, string>>): Credentials {
  const known = new Map(Object.entries(keys));
  for (const key of known.values()) rememberSecret(key);
  return {
    has: (provider) => known.has(provider),
    async get(provider): Promise<Credential | undefined> {
      const key = known.get(provider);
      return key === undefined ? undefined : { kind: "key", key };
    },
    report: () => undefined,
    override(provider, key) {
      rememberSecret(key);
      known.set(provider, key);
    },
  };
}

/** Adds what only user interfaces need, for a registry that a program implements. */
export function completeRegistry(registry: ModelRegistry): FullModelRegistry {
  if ("useProfile" in registry) return registry as FullModelRegistry;
  const explain: FullModelRegistry["explain"] = (selector) => {
    const found = registry.resolve(selector);
    if (!found) return { why: [`No model matches ${selector}.`] };
    return { model: found.model, why: found.why, ...(found.thinking === undefined ? {} : { level: found.thinking }) };
  };
  return {
    ...bindMethods(registry),
    explain,
    search: (pattern) => registry.all().filter(({ provider, id }) => `${provider}/${id}`.includes(pattern)),
    scoped: (patterns) => patterns.map(explain).filter((found) => "model" in found),
    nextLevel(model, level) {
      const levels = registry.levels(model);
      return levels[(levels.indexOf(level) + 1) % levels.length] ?? level;
    },
    enabled: () => true,
    configured: () => [],
    ready: (model) => registry.available().includes(model),
    profiles: () => [],
    profile: () => undefined,
    useProfile: (name) => ({ ok: false, message: `There is no profile "${name}".` }),
    setProviders: () => [],
    keys: { has: () => false, key: async () => undefined, peek: () => undefined },
    settings: () => DEFAULT_SETTINGS,
    close: () => undefined,
  };
}

function bindMethods(registry: ModelRegistry): ModelRegistry {
  return {
    all: () => registry.all(),
    available: () => registry.available(),
    find: (provider, id) => registry.find(provider, id),
    resolve: (selector) => registry.resolve(selector),
    initial: (options) => registry.initial(options),
    clamp: (model, level) => registry.clamp(model, level),
    levels: (model) => registry.levels(model),
    promotion: (model) => registry.promotion(model),
    canonical: (model) => registry.canonical(model),
    problems: () => registry.problems(),
    refresh: (mode, signal) => registry.refresh(mode, signal),
    onChange: (listener) => registry.onChange(listener),
  };
}

/** Adds what only user interfaces need, for credentials that a program implements. */
export function completeCredentials(credentials: Credentials): OpenCredentials {
  if ("useFallback" in credentials) return credentials as OpenCredentials;
  return {
    has: (provider) => credentials.has(provider),
    get: (provider, options) => credentials.get(provider, options),
    report: (provider, credential, outcome) => credentials.report(provider, credential, outcome),
    override: (provider, key) => credentials.override(provider, key),
    source: (provider) => (credentials.has(provider) ? "the program" : undefined),
    readyAt: () => undefined,
    rows: () => [],
    problems: () => [],
    useFallback: () => undefined,
    ready: async () => undefined,
    close: () => undefined,
  };
}
