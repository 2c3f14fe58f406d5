import type { ProviderPlace } from "@gantry/models/providers";
import {
  type AddProvider,
  GantryError,
  type ProviderAdded,
  type ProviderList,
  type ProviderTest,
} from "@gantry/protocol";

/** The providers of Gantry's own agent: its models.yml and its credential store. Answers contain no key. */
export interface ProviderService {
  providers(): Promise<ProviderList>;
  /** Throws `invalid`; then nothing has changed. */
  addProvider(body: AddProvider): Promise<ProviderAdded>;
  /** Never throws for what the provider answers. Throws `no_such_provider`. */
  testProvider(name: string): Promise<ProviderTest>;
  /** Throws `no_such_provider` if there is nothing to remove, `invalid` if models.yml cannot be changed. */
  removeProvider(name: string, withKeys: boolean): Promise<{ removed: boolean; keys: number }>;
}

type ProvidersOptions = {
  home: string;
  env: Record<string, string | undefined>;
  /** Called after a change, so that cached registries are read again. */
  onChange: () => void;
};

/** Opens the stores for each call, because such calls are rare and other processes write to the same stores. */
export class Providers implements ProviderService {
  readonly #options: ProvidersOptions;

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  providers(): Promise<ProviderList> {
    return this.#withPlace(async (place, { listProviders, PRESETS }) => {
      const stored = new Set(storedKeys(place).map(({ provider }) => provider));
      const counts = Map.groupBy(place.registry.all(), ({ provider }) => provider);
      const names = [...new Set([...Object.keys(PRESETS), ...counts.keys()])].sort();
      return {
        providers: listProviders(place).map(({ provider, models, isReady, inFile, source }) => ({
          ...{ provider, models, ready: isReady, inFile, storedKey: stored.has(provider) },
          ...(source === undefined ? {} : { source }),
        })),
        known: names.map((name) => ({ name, models: counts.get(name)?.length ?? 0 })),
      };
    });
  }

  addProvider({ key, ...request }: AddProvider): Promise<ProviderAdded> {
    return this.#withPlace(async (place, { addProvider }) => {
      const added = await addProvider(place, request, key).catch((error: Error) => {
        throw new GantryError("invalid", error.message);
      });
      this.#options.onChange();
      const models = place.registry.all().filter(({ provider }) => provider === added.provider);
      const { provider, variable, identity, isNew } = added;
      return {
        ...{ provider, added: isNew, models: models.length },
        ready: identity !== undefined || models.some((model) => place.registry.ready(model)),
        ...(variable !== undefined && identity === undefined ? { variable } : {}),
      };
    });
  }

  testProvider(name: string): Promise<ProviderTest> {
    return this.#withPlace(async (place, { listProviders, testProvider }) => {
      await place.registry.refresh("online");
      if (!listProviders(place).some(({ provider }) => provider === name)) throw noSuchProvider(name);
      const { redact } = await import("@gantry/models");
      const result = await testProvider(place, name, new AbortController().signal);
      return result.ok ? result : { ...result, message: redact(result.message) };
    });
  }

  removeProvider(name: string, withKeys: boolean): Promise<{ removed: boolean; keys: number }> {
    return this.#withPlace(async (place, { listProviders, removeProvider }) => {
      const inFile = listProviders(place).some(({ provider, inFile }) => provider === name && inFile);
      const keys = withKeys ? storedKeys(place).filter(({ provider }) => provider === name) : [];
      if (!inFile && keys.length === 0) throw noSuchProvider(name);
      if (inFile) {
        await removeProvider(place, name).catch((error: Error) => {
          throw new GantryError("invalid", error.message);
        });
      }
      if (keys.length > 0) await this.#removeKeys(place, keys);
      this.#options.onChange();
      return { removed: inFile, keys: keys.length };
    });
  }

  async #removeKeys({ env, agentDir }: ProviderPlace, keys: readonly { id: number }[]): Promise<void> {
    const { openLocalStore } = await import("@gantry/models");
    const store = openLocalStore(env, agentDir);
    try {
      store.remove(keys.map(({ id }) => id));
    } finally {
      store.close();
    }
  }

  async #withPlace<T>(
    use: (place: ProviderPlace, manage: typeof import("@gantry/models/providers")) => Promise<T>,
  ): Promise<T> {
    const [{ agentFolder, openModels }, manage] = await Promise.all([
      import("@gantry/models"),
      import("@gantry/models/providers"),
    ]);
    const { home } = this.#options;
    const env = { ...this.#options.env, GANTRY_HOME: home };
    const agentDir = agentFolder(env);
    const { registry, credentials, close } = openModels({ home, cwd: home, env, agentDir });
    try {
      await credentials.ready();
      await registry.refresh("offline");
      return await use({ env, agentDir, registry, credentials }, manage);
    } finally {
      close();
    }
  }
}

function storedKeys({ credentials }: ProviderPlace) {
  return credentials.rows().filter(({ type }) => type === "api_key");
}

function noSuchProvider(name: string): GantryError {
  return new GantryError("no_such_provider", `There is no provider "${name}" with an entry or a key.`, {
    remedy: "See `gantry models providers`.",
  });
}
