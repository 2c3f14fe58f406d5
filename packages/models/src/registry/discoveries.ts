import { type CachedModels, fingerprint, isFresh, type ModelCache } from "../cache/model-cache.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { DiscoveryTarget } from "../discovery/targets.ts";
import type { Model } from "../model.ts";
import type { ConfigProblem } from "../registry-port.ts";
import { mergeDiscovered } from "./merge.ts";

/** A local server answers at once or is absent; a remote provider may be slow. */
const IMPLICIT_MS = 1_000;
const EXPLICIT_MS = 10_000;

export type DiscoveryParts = {
  cache: ModelCache;
  catalogue: Catalogue;
  targets: () => readonly DiscoveryTarget[];
  key(provider: string, signal?: AbortSignal): Promise<string | undefined>;
  now: () => number;
  fetch: typeof globalThis.fetch;
};

/** Discovered models: from the cache at once, and from the providers after a query. */
export type Discoveries = {
  models(): ReadonlyMap<string, readonly Model[]>;
  problems(): readonly ConfigProblem[];
  /** Queries providers whose cache entry is stale, or all with `force`. Returns whether models changed. Never rejects. */
  query(force: boolean, signal?: AbortSignal): Promise<boolean>;
};

export function openDiscoveries(parts: DiscoveryParts): Discoveries {
  const { cache, now } = parts;
  const rows = new Map<string, CachedModels | undefined>();
  const problems = new Map<string, ConfigProblem>();
  const row = (target: DiscoveryTarget): CachedModels | undefined => {
    if (!rows.has(target.provider)) rows.set(target.provider, cache.read(target.provider));
    const found = rows.get(target.provider);
    // Entries for another URL or another kind of server do not apply.
    return found?.fingerprint.endsWith(`:${queryId(target)}`) ? found : undefined;
  };
  const bundledModels = (provider: string) => parts.catalogue.providers.get(provider) ?? NONE;
  const mergedModels = (target: DiscoveryTarget, found: CachedModels): readonly Model[] => {
    const same = found.fingerprint === stamp(bundledModels(target.provider), target);
    return same ? found.models : mergeDiscovered(bundledModels(target.provider), found.models);
  };

  const queryOne = async (target: DiscoveryTarget, signal?: AbortSignal): Promise<boolean> => {
    const { provider, implicit } = target;
    const before = row(target);
    const key = target.keyless ? undefined : await parts.key(provider, signal);
    const timeoutMs = implicit && target.keyless ? IMPLICIT_MS : EXPLICIT_MS;
    const { discover } = await import("../discovery/discover.ts");
    const answer = await discover(target, { fetch: parts.fetch, key, signal, timeoutMs });
    if (signal?.aborted) return false;
    problems.delete(provider);
    if (!answer.ok && !implicit) problems.set(provider, discoveryProblem(target, answer.message));
    const models = answer.ok ? mergeDiscovered(bundledModels(provider), answer.models) : (before?.models ?? []);
    const next = {
      updatedAt: now(),
      authoritative: answer.ok,
      fingerprint: stamp(bundledModels(provider), target),
      models: [...models],
    };
    rows.set(provider, next);
    cache.write(provider, next);
    return JSON.stringify(before?.models ?? []) !== JSON.stringify(next.models);
  };

  return {
    models() {
      const found = parts.targets().flatMap((target) => {
        const cached = row(target);
        return cached && cached.models.length > 0 ? [[target.provider, mergedModels(target, cached)] as const] : [];
      });
      return new Map(found);
    },
    problems: () => [...problems.values()],
    async query(force, signal) {
      const stale = parts.targets().filter((target) => {
        const cached = row(target);
        return force || !cached || !isFresh(cached, now());
      });
      const changed = await Promise.all(stale.map((target) => queryOne(target, signal)));
      return changed.some(Boolean);
    },
  };
}

const NONE: readonly Model[] = [];

function queryId({ type, api, baseUrl, keyless }: DiscoveryTarget): string {
  return encodeURIComponent([type, api, baseUrl, keyless].join(" "));
}

function stamp(bundled: readonly Model[], target: DiscoveryTarget): string {
  return `${fingerprint(bundled)}:${queryId(target)}`;
}

function discoveryProblem({ provider, baseUrl }: DiscoveryTarget, message: string): ConfigProblem {
  return {
    file: "models.yml",
    path: `providers.${provider}.discovery`,
    message: `Could not list the models of ${provider} at ${baseUrl}: ${message}. Check that it is running and that the URL is right.`,
  };
}
