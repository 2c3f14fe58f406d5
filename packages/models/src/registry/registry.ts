import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { openModelCache } from "../cache/model-cache.ts";
import { bundledCatalogue, type Catalogue } from "../catalogue/catalogue.ts";
import { type ConfigKeys, configKeys } from "../config/keys.ts";
import { checkModels, type ModelsConfig, modelsFiles, readModelsConfig } from "../config/models-file.ts";
import { valuesFor } from "../config/path-scopes.ts";
import type { ProviderConfig } from "../config/schema.ts";
import { type ModelSettings, readModelSettings } from "../config/settings-file.ts";
import { discoveryTargets } from "../discovery/targets.ts";
import type { Api, Model, ThinkingLevel } from "../model.ts";
import { BUILT_IN_PROFILES } from "../profiles/built-in.ts";
import { type ProfilePreview, previewProfile, profileRoles } from "../profiles/profiles.ts";
import type { ConfigProblem, Credentials, ModelRegistry, Resolved } from "../registry-port.ts";
import { pickInitial } from "../resolver/initial.ts";
import { type Found, matchEntries, type NotFound, type ResolveContext, resolveSelector } from "../resolver/resolve.ts";
import { expandScope, type ScopedModel } from "../resolver/scope.ts";
import { clampLevel, levelsOf, nextLevel } from "../thinking-levels.ts";
import { openDiscoveries } from "./discoveries.ts";
import { promotionOf } from "./promotion.ts";
import { roleSelector } from "./roles.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

export type RegistryOptions = {
  /** GANTRY_HOME. */
  home: string;
  /** GANTRY_AGENT_DIR. Default: `agent` in the home. */
  agentDir?: string;
  /** For settings that apply to some folders only. */
  cwd: string;
  env?: Record<string, string | undefined>;
  /** Without it, only the keys of models.yml are used. */
  credentials?: Pick<Credentials, "has" | "get">;
  /** Replaces config.yml. */
  settings?: ModelSettings;
  catalogue?: Catalogue;
  /** Replaces models.yml in home and agent folder; may be `.json` and `.jsonc` too. */
  files?: readonly string[];
  /** Read after them. */
  moreFiles?: readonly string[];
  /** The cache of discovered models. */
  cacheFile?: string;
  fetch?: typeof globalThis.fetch;
  now?: () => number;
};

/** The registry with the methods that only user interfaces need. */
export type FullModelRegistry = ModelRegistry & {
  /** The model that a selector resolves to, or why it resolves to none. */
  explain(selector: string): Found | NotFound;
  /** All models that match a glob or part of a name, also unusable ones. */
  search(pattern: string): Model[];
  /** The models of `--models`, in its order, each with its level. */
  scoped(patterns: readonly string[]): ScopedModel[];
  nextLevel(model: Model, level: ThinkingLevel): ThinkingLevel;
  enabled(provider: string): boolean;
  /** The providers with an entry in models.yml. */
  configured(): string[];
  ready(model: Model): boolean;
  profiles(): ProfilePreview[];
  profile(name: string): ProfilePreview | undefined;
  /** Applies the profile's roles. Fails while a provider that it requires has no credential. */
  useProfile(name: string): { ok: true; profile: ProfilePreview } | { ok: false; message: string };
  /**
   * Replaces the providers of an owner, such as an extension, that no file defines. An entry of models.yml with the same name wins.
   * Returns what is wrong with an entry, which is left out.
   */
  setProviders(owner: string, providers: Readonly<Record<string, unknown>>): string[];
  /** The keys from models.yml, for the credential lookup. */
  keys: ConfigKeys;
  settings(): ModelSettings;
  close(): void;
};

/** Former and alternative provider names, used if no provider has that name. */
const ALIASES: Record<string, string> = {
  "kimi-code": "kimi-coding",
  "minimax-code": "minimax",
  "minimax-code-cn": "minimax-cn",
  codex: "openai-codex",
  "azure-openai": "azure-openai-responses",
  "z-ai": "zai",
};

export function createModelRegistry(options: RegistryOptions): FullModelRegistry {
  return new Registry(options);
}

class Registry implements FullModelRegistry {
  readonly keys: ConfigKeys;
  readonly #options: RegistryOptions;
  readonly #env: Record<string, string | undefined>;
  readonly #agentDir: string;
  readonly #catalogue: Catalogue;
  readonly #cache;
  readonly #discoveries;
  readonly #listeners = new Set<() => void>();
  readonly #added = new Map<string, ReadonlyMap<string, ProviderConfig>>();
  #config!: ModelsConfig;
  #settings!: ModelSettings;
  #settingProblems: readonly ConfigProblem[] = [];
  #disabled: ReadonlySet<string> = new Set();
  #enabledPatterns: readonly string[] = [];
  #snapshot!: Snapshot;
  #enabledModels: ReadonlySet<Model> | undefined;
  #profile: { name: string; roles: Record<string, string> } | undefined;
  #profileProblem: ConfigProblem | undefined;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#agentDir = options.agentDir ?? join(options.home, "agent");
    this.#catalogue = options.catalogue ?? bundledCatalogue();
    this.keys = configKeys({ providers: () => this.#config.providers, env: this.#env });
    this.#cache = openModelCache(options.cacheFile ?? join(this.#agentDir, "models.db"));
    this.#discoveries = openDiscoveries({
      cache: this.#cache,
      catalogue: this.#catalogue,
      targets: () => this.#targets(),
      key: (provider, signal) => this.#key(provider, signal),
      now: options.now ?? Date.now,
      fetch: options.fetch ?? globalThis.fetch,
    });
    this.#read();
    this.#rebuild();
    this.#useDefaultProfile();
  }

  all = () => this.#snapshot.all;
  find = (provider: string, id: string) => this.#snapshot.index().bySelector.get(`${provider}/${id}`.toLowerCase());
  levels = levelsOf;
  clamp = clampLevel;
  nextLevel = nextLevel;
  canonical = (model: Model) => this.#snapshot.canonical()(model);
  settings = () => this.#settings;
  configured = () => [...this.#config.providers.keys()];
  explain = (selector: string) => resolveSelector(this.#context(), selector);
  search = (pattern: string) =>
    matchEntries({ ...this.#context(), enabled: () => true }, pattern).map(({ model }) => model);
  scoped = (patterns: readonly string[]) => expandScope(this.#context(), patterns);
  enabled = (provider: string) => !this.#disabled.has(provider.toLowerCase());
  ready = (model: Model) => this.#isReady(model, (provider) => this.#has(provider));

  available(): Model[] {
    // One credential lookup per provider, because the lookup is the slowest part.
    const lookups = new Map<string, boolean>();
    const has = (provider: string) => {
      const known = lookups.get(provider) ?? this.#has(provider);
      lookups.set(provider, known);
      return known;
    };
    return this.all().filter((model) => this.#isEnabledModel(model) && this.#isReady(model, has));
  }

  resolve(selector: string): Resolved | undefined {
    const found = this.explain(selector);
    return "model" in found ? clampThinking(found) : undefined;
  }

  initial(options: { selector?: string; scoped?: readonly string[]; resuming?: boolean } = {}): Resolved | undefined {
    // An explicit selector that does not resolve must fail instead of selecting another model.
    if (options.selector !== undefined) return this.resolve(options.selector);
    const scope = options.resuming ? [] : this.scoped(options.scoped ?? []);
    const one = scope.find(({ model }) => this.ready(model));
    return pickInitial({
      scoped: one && clampThinking({ ...one, why: ["It is the first available model of the scope."] }),
      saved: this.#savedDefault() === undefined ? undefined : this.#readyOnly(this.resolve("gantry/default")),
      available: this.available(),
      find: this.find,
    });
  }

  promotion(model: Model): Model | undefined {
    if (!this.#settings.contextPromotion) return undefined;
    const siblings = this.#snapshot.byProvider.get(model.provider) ?? [];
    return promotionOf(model, siblings, (selector) => this.#exact(selector), this.ready);
  }

  problems = () => [
    ...this.#config.problems,
    ...this.#settingProblems,
    ...(this.#profileProblem ? [this.#profileProblem] : []),
    ...this.#discoveries.problems(),
  ];

  async refresh(mode: "online" | "offline" | "online-if-uncached" = "online-if-uncached", signal?: AbortSignal) {
    const before = JSON.stringify(this.all());
    const problemsBefore = JSON.stringify(this.problems());
    this.#read();
    if (mode !== "offline") await this.#discoveries.query(mode === "online", signal);
    this.#rebuild();
    const same = JSON.stringify(this.all()) === before && JSON.stringify(this.problems()) === problemsBefore;
    if (!same) for (const listener of [...this.#listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  profiles(): ProfilePreview[] {
    const names = new Set([...BUILT_IN_PROFILES.keys(), ...this.#config.profiles.keys()]);
    return [...names].flatMap((name) => this.profile(name) ?? []);
  }

  profile(name: string): ProfilePreview | undefined {
    const user = this.#config.profiles.get(name);
    const profile = user ?? BUILT_IN_PROFILES.get(name);
    if (!profile) return undefined;
    const ready = (provider: string) => this.#providerReady(this.#alias(provider));
    return previewProfile({ ready, resolve: this.explain }, name, user ? "user" : "built-in", profile);
  }

  useProfile(name: string): { ok: true; profile: ProfilePreview } | { ok: false; message: string } {
    const profile = this.profile(name);
    if (!profile) return { ok: false, message: `There is no profile "${name}".` };
    if (profile.missing.length > 0) {
      return {
        ok: false,
        message: `The profile ${name} needs a credential for ${profile.missing.join(" and ")}. Log in or add a key first.`,
      };
    }
    this.#profile = { name, roles: profileRoles(profile) };
    return { ok: true, profile };
  }

  setProviders(owner: string, providers: Readonly<Record<string, unknown>>): string[] {
    const { providers: valid, problems } = checkModels(owner, JSON.stringify({ providers }));
    this.#added.set(owner, valid);
    this.#read();
    this.#rebuild();
    for (const listener of [...this.#listeners]) listener();
    return problems.map(({ path, message }) => `${path.replace(/^providers\./, "")}: ${message}`);
  }

  close(): void {
    this.#listeners.clear();
    this.#cache.close();
  }

  #read(): void {
    const { home, files, moreFiles = [], settings } = this.#options;
    const read = readModelsConfig([...(files ?? modelsFiles(home, this.#agentDir)), ...moreFiles]);
    const added = [...this.#added.values()].flatMap((each) => [...each]);
    this.#config = added.length === 0 ? read : { ...read, providers: new Map([...added, ...read.providers]) };
    const chosen = settings ? { settings, problems: [] } : readModelSettings(join(this.#agentDir, "config.yml"));
    this.#settings = chosen.settings;
    this.#settingProblems = chosen.problems;
    const cwd = resolveLinks(this.#options.cwd);
    const user = this.#env.HOME ?? homedir();
    this.#disabled = new Set(valuesFor(chosen.settings.disabledProviders, cwd, user).map((name) => name.toLowerCase()));
    this.#enabledPatterns = valuesFor(chosen.settings.enabledModels, cwd, user);
  }

  #rebuild(): void {
    this.#enabledModels = undefined;
    this.#snapshot = takeSnapshot({
      catalogue: this.#catalogue,
      config: this.#config,
      settings: this.#settings,
      env: this.#env,
      discovered: this.#discoveries.models(),
    });
  }

  /** A default profile that cannot be applied becomes a problem; the start continues without it. */
  #useDefaultProfile(): void {
    const name = this.#settings.defaultProfile;
    if (name === undefined) return;
    const used = this.useProfile(name);
    if (used.ok) return;
    const file = join(this.#agentDir, "config.yml");
    this.#profileProblem = { file, path: "modelProfile.default", message: used.message };
  }

  #context(): ResolveContext {
    return {
      index: this.#snapshot.index(),
      enabled: this.enabled,
      ready: this.ready,
      isEnabled: (model) => this.#isEnabledModel(model),
      rank: (model) => {
        const at = this.#settings.modelProviderOrder.indexOf(model.provider);
        return at < 0 ? this.#settings.modelProviderOrder.length : at;
      },
      role: (name) => this.#role(name),
      providerAlias: (provider) => this.#alias(provider),
    };
  }

  #isEnabledModel(model: Model): boolean {
    if (this.#enabledPatterns.length === 0) return true;
    if (!this.#enabledModels) {
      // Avoids recursion: the set is not available while it is built.
      const context = { ...this.#context(), isEnabled: () => true };
      this.#enabledModels = new Set(expandScope(context, this.#enabledPatterns, "all").map((one) => one.model));
    }
    return this.#enabledModels.has(model);
  }

  #role(name: string): string | undefined {
    const selector = roleSelector(name, this.#profile?.roles ?? {}, this.#settings, this.#config.bindings);
    if (selector !== undefined || name !== "default") return selector;
    const initial = pickInitial({ available: this.available(), find: this.find })?.model;
    return initial && `${initial.provider}/${initial.id}`;
  }

  #savedDefault(): string | undefined {
    return roleSelector("default", this.#profile?.roles ?? {}, this.#settings, this.#config.bindings);
  }

  #readyOnly(found: Resolved | undefined): Resolved | undefined {
    return found && this.ready(found.model) ? found : undefined;
  }

  #exact(selector: string): Model | undefined {
    return this.#snapshot.index().bySelector.get(selector.toLowerCase());
  }

  #alias(provider: string): string {
    const name = provider.toLowerCase();
    return this.#snapshot.byProvider.has(name) ? name : (ALIASES[name] ?? name);
  }

  #isReady({ provider, keyless }: Model, has: (provider: string) => boolean): boolean {
    return this.enabled(provider) && (keyless === true || has(provider));
  }

  #has(provider: string): boolean {
    return this.#options.credentials?.has(provider) === true || this.keys.has(provider);
  }

  #providerReady(provider: string): boolean {
    const [first] = this.#snapshot.byProvider.get(provider) ?? [];
    return first ? this.ready(first) : this.enabled(provider) && this.#has(provider);
  }

  async #key(provider: string, signal?: AbortSignal): Promise<string | undefined> {
    const credential = await this.#options.credentials?.get(provider, signal ? { signal } : {});
    if (credential?.kind === "key") return credential.key;
    if (credential?.kind === "oauth") return credential.token;
    return await this.keys.key(provider, signal);
  }

  #targets() {
    const bundledUrl = (provider: string, api?: Api) =>
      this.#catalogue.providers.get(provider)?.find((model) => api === undefined || model.api === api)?.baseUrl;
    const has = (provider: string) => this.#has(provider);
    return discoveryTargets({ providers: this.#config.providers, env: this.#env, bundledUrl, has }).filter(
      ({ provider }) => this.enabled(provider),
    );
  }
}

function clampThinking({ model, level, why }: Found): Resolved {
  if (level === undefined) return { model, why };
  const thinking = clampLevel(model, level);
  return {
    model,
    thinking,
    why: thinking === level ? why : [...why, `${model.id} does not support ${level}; ${thinking} is used instead.`],
  };
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
