import { createHash } from "node:crypto";
import type { SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Account } from "./breaker/breaker.ts";

/** Variables that select the account or endpoint of a session's agent. */
const CREDENTIAL = /(_API_KEY|_AUTH_TOKEN|_TOKEN|_BASE_URL|_ENDPOINT)$/;

/** A local profile: its variables, and whether it starts its own program. */
export type ProfileFacts = { env: Readonly<Record<string, string>>; hasProgram: boolean };

type Owner = {
  agent?: Pick<Agent, "provider" | "providerInModel"> | undefined;
  /** The account that the agent's probe found. */
  login?: string | undefined;
  /** The session's variables. */
  env: Readonly<Record<string, string>>;
  /** Absent for agents that ship with Gantry. */
  profile?: ProfileFacts | undefined;
};

/**
 * The account that a session's requests count against. A key in the session's variables or the profile's decides: all
 * sessions with that key share the account. Then follows the login that the probe found. A profile without either has a
 * separate account, unless it only renames a built-in agent.
 */
export function accountOf(view: Pick<SessionView, "agent" | "model" | "servedModel">, owner: Owner): Account {
  const { agent, login, env, profile } = owner;
  const named = agent?.providerInModel ? (view.servedModel ?? view.model)?.split("/") : undefined;
  const inModel = named && named.length > 1 && named[0] ? named[0] : undefined;
  const provider = inModel ?? agent?.provider ?? view.agent;
  const own = findKey({ ...profile?.env, ...env }, provider);
  if (own) {
    const whose = own.names.some((name) => name in env) ? "the session" : `the profile ${view.agent}`;
    const account = `${own.names.join(", ")} of ${whose} (${own.hash.slice(0, 6)})`;
    // Keys of several providers are one account for each provider.
    const parts = own.isOfProvider ? [] : [inModel];
    return { key: join([...parts, `key ${own.hash}`]), provider, account };
  }
  const isSeparate = profile !== undefined && (profile.hasProgram || Object.keys(profile.env).length > 0);
  const account = login ?? (isSeparate ? `the profile ${view.agent}` : undefined);
  // An agent for many providers stores a key per provider.
  const key = join([provider, agent?.providerInModel ? view.agent : undefined, account]);
  return { key, provider, ...(account === undefined ? {} : { account }) };
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

export type AccountSources = {
  /** None of them may read a file or query the database: they run for every tool event. */
  agent(id: string): AgentFacts | undefined;
  /** The account that the agent is logged in with. */
  login(id: string): string | undefined;
  /** The same object as long as the profile is unchanged. `undefined`: the agent ships with Gantry. */
  profile(id: string): ProfileFacts | undefined;
  /** The same object as long as the session's environment is unchanged. */
  env(session: string): Readonly<Record<string, string>>;
};

type AgentFacts = Pick<Agent, "provider" | "providerInModel">;
type Facts = readonly unknown[];

/** Size of the cache; the oldest entry is evicted. */
const MOST = 1000;

/** The accounts of sessions, cached until an input changes. */
export class Accounts {
  readonly #sources: AccountSources;
  readonly #known = new Map<string, { facts: Facts; account: Account }>();

  constructor(sources: AccountSources) {
    this.#sources = sources;
  }

  of(view: Pick<SessionView, "id" | "agent" | "model" | "servedModel">): Account {
    const { agent: id, model, servedModel } = view;
    const agent = this.#sources.agent(id);
    const login = this.#sources.login(id);
    const env = this.#sources.env(view.id);
    const profile = this.#sources.profile(id);
    const facts: Facts = [agent, login, env, profile, id, model, servedModel];
    const known = this.#known.get(view.id);
    if (known && facts.every((fact, at) => fact === known.facts[at])) return known.account;
    const account = accountOf(view, { agent, login, env, profile });
    this.#known.set(view.id, { facts, account });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
    return account;
  }
}

type FoundKey = { names: string[]; hash: string; isOfProvider: boolean };

/**
 * The variables that hold keys, and a hash of their values. The names are not part of the hash, so that the same key is
 * the same account wherever it is configured. Variables with the provider's name come before all others.
 */
function findKey(env: Readonly<Record<string, string>>, provider: string): FoundKey | undefined {
  const all = Object.keys(env)
    .filter((name) => CREDENTIAL.test(name))
    .sort();
  const prefix = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_`;
  const ofProvider = all.filter((name) => name.startsWith(prefix));
  const names = ofProvider.length > 0 ? ofProvider : all;
  if (names.length === 0) return undefined;
  const values = [...new Set(names.map((name) => env[name]))].sort();
  const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
  return { names, hash, isOfProvider: ofProvider.length > 0 };
}
