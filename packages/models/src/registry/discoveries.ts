import { fingerprint } from "../cache/fingerprint.ts";
import { type CachedModels, isFresh, type ModelCache } from "../cache/model-cache.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { discover } from "../discovery/discover.ts";
import type { DiscoveryTarget } from "../discovery/targets.ts";
import type { Model } from "../model.ts";
import type { ConfigProblem } from "../registry-port.ts";
import { mergeDiscovered } from "./merge.ts";

/** A program on this machine answers at once or is not there; a provider far away may take its time. */
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

/** What providers have said: from the cache at once, from themselves when they are asked. */
export type Discoveries = {
  models(): ReadonlyMap<string, readonly Model[]>;
  problems(): readonly ConfigProblem[];
  /** Asks those whose word has grown old, or all with `force`. True: something is not as it was. Never rejects. */
  ask(force: boolean, signal?: AbortSignal): Promise<boolean>;
};

export function openDiscoveries(parts: DiscoveryParts): Discoveries {
  const { cache, now } = parts;
  const rows = new Map<string, CachedModels | undefined>();
  const problems = new Map<string, ConfigProblem>();
  const row = (target: DiscoveryTarget): CachedModels | undefined => {
    if (!rows.has(target.provider)) rows.set(target.provider, cache.read(target.provider));
    const found = rows.get(target.provider);
    // What another address or another kind of server has said does not count here.
    return found?.fingerprint.endsWith(`:${asked(target)}`) ? found : undefined;
  };
  const bundled = (provider: string) => parts.catalogue.providers.get(provider) ?? NONE;
  const joined = (target: DiscoveryTarget, found: CachedModels): readonly Model[] => {
    const same = found.fingerprint === stamp(bundled(target.provider), target);
    return same ? found.models : mergeDiscovered(bundled(target.provider), found.models);
  };

  const askOne = async (target: DiscoveryTarget, signal?: AbortSignal): Promise<boolean> => {
    const { provider, implicit } = target;
    const before = row(target);
    const key = target.keyless ? undefined : await parts.key(provider, signal);
    const timeoutMs = implicit && target.keyless ? IMPLICIT_MS : EXPLICIT_MS;
    const answer = await discover(target, { fetch: parts.fetch, key, signal, timeoutMs });
    if (signal?.aborted) return false;
    problems.delete(provider);
    if (!answer.ok && !implicit) problems.set(provider, silent(target, answer.message));
    const models = answer.ok ? mergeDiscovered(bundled(provider), answer.models) : (before?.models ?? []);
    const next = {
      updatedAt: now(),
      authoritative: answer.ok,
      fingerprint: stamp(bundled(provider), target),
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
        return cached && cached.models.length > 0 ? [[target.provider, joined(target, cached)] as const] : [];
      });
      return new Map(found);
    },
    problems: () => [...problems.values()],
    async ask(force, signal) {
      const old = parts.targets().filter((target) => {
        const cached = row(target);
        return force || !cached || !isFresh(cached, now());
      });
      const changed = await Promise.all(old.map((target) => askOne(target, signal)));
      return changed.some(Boolean);
    },
  };
}

const NONE: readonly Model[] = [];

function asked({ type, api, baseUrl, keyless }: DiscoveryTarget): string {
  return encodeURIComponent([type, api, baseUrl, keyless].join(" "));
}

function stamp(bundled: readonly Model[], target: DiscoveryTarget): string {
  return `${fingerprint(bundled)}:${asked(target)}`;
}

function silent({ provider, baseUrl }: DiscoveryTarget, message: string): ConfigProblem {
  return {
    file: "models.yml",
    path: `providers.${provider}.discovery`,
    message: `The models of ${provider} at ${baseUrl} are not known: ${message}. Is it running, and is the address right?`,
  };
}
