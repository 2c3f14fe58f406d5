import type { ProviderFailure } from "../messages.ts";
import type { Credentials } from "../registry-port.ts";
import type { Credential } from "../stream.ts";
import { agentFolder, type Environment } from "./agent-folder.ts";
import { brokerAddress } from "./broker/address.ts";
import { brokerSource } from "./broker/client.ts";
import { fromEnvironment } from "./environment.ts";
import { redact, rememberSecret } from "./hiding.ts";
import { after, type Clock, choose, type Rest, clock as realClock } from "./rotation.ts";
import {
  type CredentialData,
  CredentialError,
  type CredentialRow,
  type CredentialSource,
  type LoginData,
} from "./rows.ts";
import { findKeychain } from "./store/keychain.ts";
import { localSource, type RefreshLogin } from "./store/local.ts";
import { type CredentialStore, openStore } from "./store/store.ts";
import { makeVault } from "./store/vault.ts";

type FindKey = (provider: string, signal?: AbortSignal) => string | undefined | Promise<string | undefined>;
/** Keys that stand in models.yml. `has` answers at once; `get` (or `key`, the same) may run a command. */
export type KeySource = { has(provider: string): boolean } & ({ get: FindKey } | { key: FindKey });

export type CredentialsOptions = {
  env?: Environment;
  /** Default: from the environment. */
  agentDir?: string;
  fallback?: KeySource;
  clock?: Clock;
  refreshLogin?: RefreshLogin;
  /** Takes the place of the database. `remote`: it is a broker's. */
  source?: CredentialSource;
  remote?: boolean;
};

/** Beside what a registry needs: what people and hosts want to know. */
export interface OpenCredentials extends Credentials {
  /** Rejects with a `CredentialError` when there is a credential, but none that can be used now. */
  get: Credentials["get"];
  /** Where the next one would come from, in words for people; the secret is not looked at. */
  source(provider: string): string | undefined;
  /** When all rest: the time at which the first is ready again. */
  readyAt(provider: string): number | undefined;
  rows(): readonly CredentialRow[];
  problems(): readonly string[];
  useFallback(source: KeySource): void;
  /** With a broker `has` knows nothing before this. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** A token that runs out within this time is not begun with. */
const MARGIN_MS = 60_000;

type Given = string | Credential | undefined;
type Candidate = Rest & { id: string; from: string } & (
    | { row: CredentialRow }
    | { give(signal?: AbortSignal): Promise<Credential | undefined> | Credential | undefined }
  );

/** The store of this machine, for those who write into it. */
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
  const held = new Map<string, string>();
  const rests = new Map<string, Rest>();
  const given = new WeakMap<Credential, Candidate>();
  /** Tokens of logins that were refused before they ran out: refreshed once before that counts against the login. */
  const stale = new Map<string, string>();
  const remote = broker !== undefined || options.remote === true;
  let fallback = options.fallback;

  const tiersOf = (provider: string) => tiersFor(provider, { stored, env, fallback, remote, rests });
  const taking: Taking = { tiersOf, stored, clock, held, given, stale };

  return {
    has: (provider) => overrides.has(provider) || tiersOf(provider).some((tier) => tier.length > 0),
    async get(provider, { sessionId, signal } = {}) {
      const key = overrides.get(provider);
      if (key !== undefined) return { kind: "key", key };
      await stored.ready(signal);
      return remembered(await take(taking, provider, sessionId, signal));
    },
    report(provider, credential, outcome) {
      const one = given.get(credential);
      if (!one?.id.startsWith(`${provider} `)) return;
      if ("row" in one) {
        if (outcome === "ok") stale.delete(one.id);
        else if (credential.kind === "oauth" && outcome.category === "auth" && !stale.has(one.id))
          return void stale.set(one.id, credential.token);
        return reportRow(stored, one.row, outcome);
      }
      const rest = after(rests.get(one.id) ?? { restingUntil: 0, strikes: 0 }, outcome, clock);
      if (rest) rests.set(one.id, rest);
    },
    override(provider, key) {
      rememberSecret(key);
      overrides.set(provider, key);
    },
    source: (provider) => (overrides.has(provider) ? "this run" : choose(tiersOf(provider), clock.now())?.one.from),
    readyAt: (provider) => (overrides.has(provider) ? undefined : choose(tiersOf(provider), clock.now())?.readyAt),
    rows: () => stored.rows(),
    problems: () => stored.problems(),
    useFallback(source) {
      fallback = source;
    },
    ready: (signal) => stored.ready(signal),
    close: () => stored.close(),
  };
}

type Taking = {
  tiersOf(provider: string): Candidate[][];
  stored: CredentialSource;
  clock: Clock;
  /** Which one a session was given last. */
  held: Map<string, string>;
  given: WeakMap<Credential, Candidate>;
  stale: ReadonlyMap<string, string>;
};

/** The best that can be used now; those that cannot are passed over, each once. */
async function take(
  { tiersOf, stored, clock, held, given, stale }: Taking,
  provider: string,
  sessionId: string | undefined,
  signal?: AbortSignal,
): Promise<Credential | undefined> {
  const unusable = new Set<string>();
  const slot = `${provider} ${sessionId}`;
  let trouble: string | undefined;
  for (;;) {
    const tiers = tiersOf(provider).map((tier) => tier.filter(({ id }) => !unusable.has(id)));
    const mine = tiers.flat().find(({ id }) => sessionId !== undefined && held.get(slot) === id);
    const choice = choose(tiers, clock.now(), { held: mine, sessionId });
    if (!choice) break;
    const result = await obtain(choice.one, { stored, now: clock.now, stale: stale.get(choice.one.id), signal });
    if ("credential" in result) {
      if (sessionId !== undefined) held.set(slot, choice.one.id);
      given.set(result.credential, choice.one);
      return result.credential;
    }
    trouble ??= result.trouble;
    unusable.add(choice.one.id);
    if (signal?.aborted) break;
  }
  if (trouble === undefined) return undefined;
  throw new CredentialError(redact(trouble));
}

type Places = {
  stored: CredentialSource;
  env: Environment;
  fallback: KeySource | undefined;
  remote: boolean;
  rests: ReadonlyMap<string, Rest>;
};

/** All that could be given for a provider, best first. */
function tiersFor(provider: string, { stored, env, fallback, remote, rests }: Places): Candidate[][] {
  const rows = stored.rows().filter((row) => row.provider === provider && row.disabledCause === undefined);
  const of = (type: CredentialData["type"]) => rows.filter((row) => row.type === type).map(candidate);
  const environment = fromEnvironment(provider, env);
  const single = (from: string, give: (signal?: AbortSignal) => Given | Promise<Given>) => {
    const id = `${provider} ${from}`;
    const rest = rests.get(id) ?? { restingUntil: 0, strikes: 0 };
    return { id, from, ...rest, give: async (signal?: AbortSignal) => asCredential(await give(signal)) };
  };
  const file = fallback?.has(provider) ? [single("models.yml", (signal) => keyFrom(fallback, provider, signal))] : [];
  const rest = [
    of("api_key"),
    of("oauth"),
    environment ? [single(environment.source, () => environment.credential)] : [],
  ];
  // What somebody wrote into the file of this machine is meant for it; a broker is meant for many.
  return remote ? [file, ...rest] : [...rest, file];
}

function candidate(row: CredentialRow): Candidate {
  const from = row.type === "api_key" ? `stored ${row.identity}` : `login ${row.identity}`;
  return { id: `${row.provider} ${row.id}`, from, restingUntil: row.restingUntil, strikes: row.strikes, row };
}

type Obtain = { stored: CredentialSource; now: () => number; stale?: string; signal?: AbortSignal };

async function obtain(
  one: Candidate,
  { stored, now, stale, signal }: Obtain,
): Promise<{ credential: Credential } | { trouble?: string }> {
  if (!("row" in one)) {
    const credential = await one.give(signal);
    return credential ? { credential } : {};
  }
  const { provider, identity } = one.row;
  const data = await stored.open(one.row, signal);
  if (!data) return { trouble: stored.problems().at(-1) ?? `${provider} (${identity}) cannot be read.` };
  if (data.type === "api_key") return { credential: { kind: "key", key: data.key } };
  const refused = data.access === stale;
  if (!refused && data.expires > now() + MARGIN_MS) return { credential: bearer(data) };
  const refreshed = await stored.refresh(one.row, data, signal);
  if (refreshed.ok) return { credential: bearer(refreshed.data) };
  // Still good for a moment: better than nothing while the provider does not answer.
  if (!refused && !refreshed.permanent && data.expires > now()) return { credential: bearer(data) };
  return { trouble: `The login of ${provider} (${identity}) cannot be refreshed: ${refreshed.message}` };
}

function bearer({ access, accountId, projectId }: LoginData): Credential {
  return { kind: "oauth", token: access, ...(accountId ? { accountId } : {}), ...(projectId ? { projectId } : {}) };
}

function keyFrom(source: KeySource, provider: string, signal?: AbortSignal): ReturnType<FindKey> {
  return "get" in source ? source.get(provider, signal) : source.key(provider, signal);
}

function asCredential(value: Given): Credential | undefined {
  if (typeof value === "string") return value === "" ? undefined : { kind: "key", key: value };
  return value && { ...value };
}

function remembered(credential: Credential | undefined): Credential | undefined {
  if (credential?.kind === "key") rememberSecret(credential.key);
  if (credential?.kind === "oauth") rememberSecret(credential.token);
  return credential;
}

/** A note about a refusal that cannot be kept must not end the run that met it. */
function reportRow(stored: CredentialSource, row: CredentialRow, outcome: "ok" | ProviderFailure): void {
  try {
    stored.report(row, outcome);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
  }
}

/** The flows are loaded with the first login that has run out. */
function refreshByRows(env: Environment): RefreshLogin {
  return async (provider, data, signal) => {
    const [{ refreshWith }, { oauthRows }] = await Promise.all([
      import("./oauth/refresh.ts"),
      import("./oauth/providers.ts"),
    ]);
    return refreshWith(oauthRows(env))(provider, data, signal);
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

/** Whoever wants a broker is not given the local store quietly because its address is wrong. */
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
