import { createHash } from "node:crypto";
import type { SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Account } from "./breaker.ts";

/** Variables that say on whose account, or where, a session's agent asks its provider. */
const CREDENTIAL = /(_API_KEY|_AUTH_TOKEN|_TOKEN|_BASE_URL|_ENDPOINT)$/;

/**
 * The account that a session's requests count against. `known` is what the agent's probe says of it, `env` the session's
 * own variables: one that brings its own key is not held up by the limits of another.
 */
export function accountOf(
  view: Pick<SessionView, "agent" | "model" | "servedModel">,
  agent: Pick<Agent, "provider" | "providerInModel"> | undefined,
  known: string | undefined,
  env: Readonly<Record<string, string>>,
): Account {
  const named = agent?.providerInModel ? (view.servedModel ?? view.model)?.split("/") : undefined;
  const provider = named && named.length > 1 && named[0] ? named[0] : (agent?.provider ?? view.agent);
  // An agent that asks many providers keeps keys of its own for them.
  const keys = agent?.providerInModel ? view.agent : undefined;
  const account = ownKey(env) ?? known;
  const key = [provider, keys, account].filter((part) => part !== undefined).join(" ");
  return { key, provider, ...(account === undefined ? {} : { account }) };
}

export type AccountSources = {
  /** None of them may read a file or query the database: every tool event asks. */
  agent(id: string): AgentFacts | undefined;
  /** The account that the agent is logged in with. */
  login(id: string): string | undefined;
  /** The same object as long as the session's environment is the same. */
  env(session: string): Readonly<Record<string, string>>;
};

type AgentFacts = Pick<Agent, "provider" | "providerInModel">;
type Facts = readonly [agent: AgentFacts | undefined, login: string | undefined, env: object, ...names: unknown[]];

/** Sessions that are remembered; the one that was added first is forgotten. */
const MOST = 1000;

/** The accounts of sessions, each worked out again only when something that it depends on has changed. */
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

/** Told by the variable's name; the value goes no further than into a mark that tells two of them apart. */
function ownKey(env: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(env)
    .filter((name) => CREDENTIAL.test(name))
    .sort();
  if (names.length === 0) return undefined;
  const mark = createHash("sha256").update(JSON.stringify(names.map((name) => [name, env[name]])));
  return `${names.join(", ")} of the session (${mark.digest("hex").slice(0, 6)})`;
}
