import { createHash } from "node:crypto";
import type { SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Account } from "./breaker/breaker.ts";

/** Variables that select the account or endpoint of a session's agent. */
const CREDENTIAL = /(_API_KEY|_AUTH_TOKEN|_TOKEN|_BASE_URL|_ENDPOINT)$/;

/**
 * The account that a session's requests count against. `known` is the account that the agent's probe found, `env` the
 * session's variables: a session with its own key is not held by the limits of another account.
 */
export function accountOf(
  view: Pick<SessionView, "agent" | "model" | "servedModel">,
  agent: Pick<Agent, "provider" | "providerInModel"> | undefined,
  known: string | undefined,
  env: Readonly<Record<string, string>>,
): Account {
  const named = agent?.providerInModel ? (view.servedModel ?? view.model)?.split("/") : undefined;
  const provider = named && named.length > 1 && named[0] ? named[0] : (agent?.provider ?? view.agent);
  // An agent for many providers stores a key per provider.
  const keys = agent?.providerInModel ? view.agent : undefined;
  const account = ownKey(env) ?? known;
  const key = [provider, keys, account].filter((part) => part !== undefined).join(" ");
  return { key, provider, ...(account === undefined ? {} : { account }) };
}

export type AccountSources = {
  /** None of them may read a file or query the database: they run for every tool event. */
  agent(id: string): AgentFacts | undefined;
  /** The account that the agent is logged in with. */
  login(id: string): string | undefined;
  /** The same object as long as the session's environment is unchanged. */
  env(session: string): Readonly<Record<string, string>>;
};

type AgentFacts = Pick<Agent, "provider" | "providerInModel">;
type Facts = readonly [agent: AgentFacts | undefined, login: string | undefined, env: object, ...names: unknown[]];

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
    const facts: Facts = [agent, login, env, id, model, servedModel];
    const known = this.#known.get(view.id);
    if (known && facts.every((fact, at) => fact === known.facts[at])) return known.account;
    const account = accountOf(view, agent, login, env);
    this.#known.set(view.id, { facts, account });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
    return account;
  }
}

/** Named by the variable. The value is only used for a short hash that distinguishes two keys. */
function ownKey(env: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(env)
    .filter((name) => CREDENTIAL.test(name))
    .sort();
  if (names.length === 0) return undefined;
  const mark = createHash("sha256").update(JSON.stringify(names.map((name) => [name, env[name]])));
  return `${names.join(", ")} of the session (${mark.digest("hex").slice(0, 6)})`;
}
