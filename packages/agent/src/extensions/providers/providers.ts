import type { FullModelRegistry, StreamModel } from "@gantry/models";
import { rememberSecret } from "@gantry/models";
import type { ExtensionProvider, ExtensionUi } from "../api/types.ts";
import type { Loaded } from "../load/loaded.ts";
import type { Supervisor } from "../load/supervise.ts";
import { streamFrom } from "./stream.ts";

const OWNER = "extensions";
const KEY_MS = 60_000;
/** The user may have to open a page first. */
const LOGIN_MS = 15 * 60_000;
/** The address of a provider that has a stream function. Nothing is ever sent there. */
const NO_ADDRESS = "http://extension.invalid";

type Parts = { extensions(): readonly Loaded[]; supervisor: Supervisor; ui: ExtensionUi };

/** The providers of extensions: their models, keys and streams. */
export class ExtensionProviders {
  readonly #parts: Parts;
  #registry: FullModelRegistry | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Puts the models into the registry, and again whenever `update` is called. */
  attach(registry: FullModelRegistry): void {
    this.#registry = registry;
    this.update();
  }

  update(): void {
    const all = this.#list();
    const entries = Object.fromEntries(all.map(({ id, provider }) => [id, toConfig(id, provider)]));
    for (const problem of this.#registry?.setProviders(OWNER, entries) ?? []) {
      const owner = all.find(({ id }) => problem.startsWith(id));
      if (owner) this.#parts.supervisor.note(owner.extension, "registerProvider", problem);
    }
  }

  /** Keys that functions of extensions return. */
  readonly keys = {
    has: (id: string) => typeof this.#find(id)?.provider.key === "function",
    key: async (id: string, signal?: AbortSignal): Promise<string | undefined> => {
      const found = this.#find(id);
      const key = found?.provider.key;
      if (!found || typeof key !== "function") return undefined;
      const stop = signal ?? new AbortController().signal;
      const done = await this.#parts.supervisor.run(found.extension, "key", KEY_MS, () => key(stop));
      if (typeof done?.value !== "string") return undefined;
      rememberSecret(done.value);
      return done.value;
    },
  };

  /** The providers that one can log in to. */
  logins(): string[] {
    return this.#list().flatMap(({ id, provider }) => (provider.login ? [id] : []));
  }

  /** Resolves to the key. Rejects with the reason if there is none. */
  async login(id: string, signal: AbortSignal): Promise<string> {
    const found = this.#find(id);
    const login = found?.provider.login;
    if (!found || !login) throw new Error(`The provider ${id} has no login.`);
    const { supervisor, ui } = this.#parts;
    const context = { ui: supervisor.uiFor(found.extension, ui), signal };
    const done = await supervisor.run(
      found.extension,
      "login",
      LOGIN_MS,
      () => login.call(found.provider, context) as unknown,
      (key) => (typeof key === "string" && key !== "" ? undefined : "It returned no key."),
    );
    if (!done) throw new Error(`The login of ${id} failed.`);
    return done.value as string;
  }

  /** Sends requests for models of stream functions to these, and all others to `other`. */
  wrap(other: StreamModel): StreamModel {
    return (model, request) => {
      const found = this.#find(model.provider);
      const stream = found?.provider.stream;
      if (!found || !stream) return other(model, request);
      return streamFrom((asked) => stream.call(found.provider, asked), model, request);
    };
  }

  #list(): { id: string; provider: ExtensionProvider; extension: Loaded }[] {
    return this.#parts
      .extensions()
      .filter(({ state }) => state === "active")
      .flatMap((extension) => [...extension.providers].map(([id, provider]) => ({ id, provider, extension })));
  }

  #find(id: string) {
    return this.#list().find((each) => each.id === id);
  }
}

/** The provider as models.yml would define it. A key function is asked for each request, so no key is stored. */
function toConfig(id: string, provider: ExtensionProvider): Record<string, unknown> {
  const { baseUrl, api, headers, compat, models, stream } = provider;
  const common = { headers, compat, models, ...authOf(id, provider) };
  return stream ? { ...common, baseUrl: NO_ADDRESS, api: "openai-completions" } : { ...common, baseUrl, api };
}

/** A provider with a login is usable once a key is stored, or a variable with its name is set. */
function authOf(id: string, { key, login }: ExtensionProvider): Record<string, unknown> {
  if (typeof key === "string") return { apiKey: key };
  if (typeof key === "object") return { apiKeyEnv: key.env };
  if (key === undefined && login) return { apiKeyEnv: `${id.toUpperCase().replace(/\W/g, "_")}_API_KEY` };
  return { auth: "none" };
}
