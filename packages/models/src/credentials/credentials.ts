import type { ProviderFailure } from "../messages.ts";
import type { Credentials } from "../registry-port.ts";
import type { Credential } from "../stream.ts";
import { brokerAddress } from "./broker/address.ts";
import { brokerSource } from "./broker/client.ts";
import { agentFolder, type Environment, fromEnvironment } from "./environment.ts";
import { redact, rememberSecret } from "./redaction.ts";
import { applyOutcome, type Clock, type Cooldown, chooseCandidate, clock as realClock } from "./rotation.ts";
import { findKeychain } from "./store/keychain.ts";
import { localSource, type RefreshLogin } from "./store/local.ts";
import { type CredentialStore, openStore } from "./store/store.ts";
import { makeVault } from "./store/vault.ts";
import {
  type CredentialData,
  CredentialError,
  type CredentialRow,
  type CredentialSource,
  type LoginData,
} from "./stored-credential.ts";

type FindKey = (provider: string, signal?: AbortSignal) => string | undefined | Promise<string | undefined>;
/** Keys from models.yml. `has` is synchronous; `get` (or its alias `key`) may run a command. */
export type KeySource = { has(provider: string): boolean } & ({ get: FindKey } | { key: FindKey });

export type CredentialsOptions = {
  env?: Environment;
  /** Default: from the environment. */
  agentDir?: string;
  fallback?: KeySource;
  clock?: Clock;
  refreshLogin?: RefreshLogin;
  /** Replaces the database. `remote`: the source is a broker. */
  source?: CredentialSource;
  remote?: boolean;
};

/** `Credentials` plus what user interfaces and hosts need. */
export interface OpenCredentials extends Credentials {
  /** Rejects with a `CredentialError` if there are credentials but none is usable now. */
  get: Credentials["get"];
  /** The origin of the next credential, as text for the user. Does not read the secret. */
  source(provider: string): string | undefined;
  /** If all credentials are cooling down: when the first one is ready again. */
  readyAt(provider: string): number | undefined;
  rows(): readonly CredentialRow[];
  problems(): readonly string[];
  useFallback(source: KeySource): void;
  /** With a broker, `has` returns false before this resolves. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** A token that expires within this time is refreshed before use. */
const MARGIN_MS = 60_000;

type CredentialInput = string | Credential | undefined;
type Candidate = Cooldown & { id: string; from: string } & (
    | { row: CredentialRow }
    | { give(signal?: AbortSignal): Promise<Credential | undefined> | Credential | undefined }
  );

/** The store of this machine, for callers that write to it. */
export function openLocalStore(env: Environment, agentDir = agentFolder(env), now?: () => number): CredentialStore {
  return openStore(agentDir, makeVault(findKeychain(agentDir, env)), now);
}

export function openLocalSource(
  env: Environment,
  agentDir: string,
  clock: Clock = realClock,
  refreshLogin: RefreshLogin = refreshByRows(env),
): CredentialSource {
  return localSource(openLocalStore(env, agentDir, clock.now), refreshLogin, clock);
}

export function openCredentials(options: CredentialsOptions = {}): OpenCredentials {
  const { env = process.env, clock = realClock } = options;
  const agentDir = options.agentDir ?? agentFolder(env);
  const broker = options.source ? undefined : findBroker(env, agentDir, clock);
  const stored = options.source ?? broker ?? openLocalSource(env, agentDir, clock, options.refreshLogin);
  const overrides = new Map<string, string>();
  const lastUsed = new Map<string, string>();
  const cooldowns = new Map<string, Cooldown>();
  const candidateOf = new WeakMap<Credential, Candidate>();
  /** Tokens that were rejected before they expired. The login is refreshed once before the rejection counts. */
  const stale = new Map<string, string>();
  const remote = broker !== undefined || options.remote === true;
  let fallback = options.fallback;

  const tiersOf = (provider: string) => tiersFor(provider, { stored, env, fallback, remote, cooldowns });
  const takeContext: TakeContext = { tiersOf, stored, clock, lastUsed, candidateOf, stale };

  return {
    has: (provider) => overrides.has(provider) || tiersOf(provider).some((tier) => tier.length > 0),
    async get(provider, { sessionId, signal } = {}) {
      const key = overrides.get(provider);
      if (key !== undefined) return { kind: "key", key };
      await stored.ready(signal);
      return rememberCredential(await takeCredential(takeContext, provider, sessionId, signal));
    },
    report(provider, credential, outcome) {
      const one = candidateOf.get(credential);
      if (!one?.id.startsWith(`${provider} `)) return;
      if ("row" in one) {
        if (outcome === "ok") stale.delete(one.id);
        else if (credential.kind === "oauth" && outcome.category === "auth" && !stale.has(one.id))
          return void stale.set(one.id, credential.token);
        return reportRow(stored, one.row, outcome);
      }
      const rest = applyOutcome(cooldowns.get(one.id) ?? { restingUntil: 0, strikes: 0 }, outcome, clock);
      if (rest) cooldowns.set(one.id, rest);
    },
    override(provider, key) {
      rememberSecret(key);
      overrides.set(provider, key);
    },
    source: (provider) =>
      overrides.has(provider) ? "this run" : chooseCandidate(tiersOf(provider), clock.now())?.one.from,
    readyAt: (provider) =>
      overrides.has(provider) ? undefined : chooseCandidate(tiersOf(provider), clock.now())?.readyAt,
    rows: () => stored.rows(),
    problems: () => stored.problems(),
    useFallback(source) {
      fallback = source;
    },
    ready: (signal) => stored.ready(signal),
    close: () => stored.close(),
  };
}

type TakeContext = {
  tiersOf(provider: string): Candidate[][];
  stored: CredentialSource;
  clock: Clock;
  /** The credential that each session used last. */
  lastUsed: Map<string, string>;
  candidateOf: WeakMap<Credential, Candidate>;
  stale: ReadonlyMap<string, string>;
};

/** The best credential that is usable now. Unusable candidates are skipped. */
async function takeCredential(
  { tiersOf, stored, clock, lastUsed, candidateOf, stale }: TakeContext,
  provider: string,
  sessionId: string | undefined,
  signal?: AbortSignal,
): Promise<Credential | undefined> {
  const unusable = new Set<string>();
  const slot = `${provider} ${sessionId}`;
  let problem: string | undefined;
  for (;;) {
    const tiers = tiersOf(provider).map((tier) => tier.filter(({ id }) => !unusable.has(id)));
    const mine = tiers.flat().find(({ id }) => sessionId !== undefined && lastUsed.get(slot) === id);
    const choice = chooseCandidate(tiers, clock.now(), { held: mine, sessionId });
    if (!choice) break;
    const result = await resolveCandidate(choice.one, {
      stored,
      now: clock.now,
      stale: stale.get(choice.one.id),
      signal,
    });
    if ("credential" in result) {
      if (sessionId !== undefined) lastUsed.set(slot, choice.one.id);
      candidateOf.set(result.credential, choice.one);
      return result.credential;
    }
    problem ??= result.problem;
    unusable.add(choice.one.id);
    if (signal?.aborted) break;
  }
  if (problem === undefined) return undefined;
  throw new CredentialError(redact(problem));
}

type CandidateSources = {
  stored: CredentialSource;
  env: Environment;
  fallback: KeySource | undefined;
  remote: boolean;
  cooldowns: ReadonlyMap<string, Cooldown>;
};

/** All candidates for a provider, best tier first. */
function tiersFor(provider: string, { stored, env, fallback, remote, cooldowns }: CandidateSources): Candidate[][] {
  const rows = stored.rows().filter((row) => row.provider === provider && row.disabledCause === undefined);
  const candidatesOf = (type: CredentialData["type"]) => rows.filter((row) => row.type === type).map(storedCandidate);
  const environment = fromEnvironment(provider, env);
  const makeCandidate = (from: string, give: (signal?: AbortSignal) => CredentialInput | Promise<CredentialInput>) => {
    const id = `${provider} ${from}`;
    const rest = cooldowns.get(id) ?? { restingUntil: 0, strikes: 0 };
    return { id, from, ...rest, give: async (signal?: AbortSignal) => asCredential(await give(signal)) };
  };
  const file = fallback?.has(provider)
    ? [makeCandidate("models.yml", (signal) => keyFrom(fallback, provider, signal))]
    : [];
  const rest = [
    candidatesOf("api_key"),
    candidatesOf("oauth"),
    environment ? [makeCandidate(environment.source, () => environment.credential)] : [],
  ];
  // A key in this machine's models.yml is more specific than a shared broker.
  return remote ? [file, ...rest] : [...rest, file];
}

function storedCandidate(row: CredentialRow): Candidate {
  const from = row.type === "api_key" ? `stored ${row.identity}` : `login ${row.identity}`;
  return { id: `${row.provider} ${row.id}`, from, restingUntil: row.restingUntil, strikes: row.strikes, row };
}

type ResolveContext = { stored: CredentialSource; now: () => number; stale?: string; signal?: AbortSignal };

async function resolveCandidate(
  one: Candidate,
  { stored, now, stale, signal }: ResolveContext,
): Promise<{ credential: Credential } | { problem?: string }> {
  if (!("row" in one)) {
    const credential = await one.give(signal);
    return credential ? { credential } : {};
  }
  const { provider, identity } = one.row;
  const data = await stored.open(one.row, signal);
  if (!data) return { problem: stored.problems().at(-1) ?? `${provider} (${identity}) cannot be read.` };
  if (data.type === "api_key") return { credential: { kind: "key", key: data.key } };
  const refused = data.access === stale;
  if (!refused && data.expires > now() + MARGIN_MS) return { credential: bearerCredential(data) };
  const refreshed = await stored.refresh(one.row, data, signal);
  if (refreshed.ok) return { credential: bearerCredential(refreshed.data) };
  // The token is still valid for a moment, so use it while the provider does not respond.
  if (!refused && !refreshed.permanent && data.expires > now()) return { credential: bearerCredential(data) };
  return { problem: `The login of ${provider} (${identity}) cannot be refreshed: ${refreshed.message}` };
}

function bearerCredential({ access, accountId, projectId }: LoginData): Credential {
  return { kind: "oauth", token: access, ...(accountId ? { accountId } : {}), ...(projectId ? { projectId } : {}) };
}

function keyFrom(source: KeySource, provider: string, signal?: AbortSignal): ReturnType<FindKey> {
  return "get" in source ? source.get(provider, signal) : source.key(provider, signal);
}

function asCredential(value: CredentialInput): Credential | undefined {
  if (typeof value === "string") return value === "" ? undefined : { kind: "key", key: value };
  return value && { ...value };
}

function rememberCredential(credential: Credential | undefined): Credential | undefined {
  if (credential?.kind === "key") rememberSecret(credential.key);
  if (credential?.kind === "oauth") rememberSecret(credential.token);
  return credential;
}

/** A failure to store the outcome must not end the run. */
function reportRow(stored: CredentialSource, row: CredentialRow, outcome: "ok" | ProviderFailure): void {
  try {
    stored.report(row, outcome);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
  }
}

/** Loads the OAuth code when the first login has expired. */
function refreshByRows(env: Environment): RefreshLogin {
  return async (provider, data, signal) => {
    const { oauthProviders, refreshWith } = await import("./oauth/index.ts");
    return refreshWith(oauthProviders(env))(provider, data, signal);
  };
}

function findBroker(env: Environment, agentDir: string, clock: Clock): CredentialSource | undefined {
  try {
    const address = brokerAddress(env, agentDir);
    return address && brokerSource({ ...address, clock });
  } catch (error) {
    return brokenSource((error as Error).message);
  }
}

/** Replaces a misconfigured broker: Gantry must not fall back to the local store silently. */
function brokenSource(problem: string): CredentialSource {
  return {
    rows: () => [],
    open: async () => undefined,
    refresh: async () => ({ ok: false, permanent: false, message: problem }),
    report: () => {},
    problems: () => [problem],
    ready: async () => {},
    close: () => {},
  };
}
