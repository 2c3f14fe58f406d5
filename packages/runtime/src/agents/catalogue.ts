import { type AgentRow, GantryError } from "@gantry/protocol";
import type { Agent, Channel } from "./contract.ts";
import { absentRow, askedRow, unknownRow } from "./finding/agent-row.ts";
import type { Environment } from "./finding/environment.ts";
import { type AgentEntry, type Installed, locate } from "./finding/locate.ts";
import { LoginShell } from "./finding/login-shell.ts";
import { probeAgent, quickVersion } from "./finding/probe-agent.ts";
import { loadProfiles } from "./profiles.ts";

export type CatalogueOptions = {
  agents: readonly Agent[];
  /** What profiles may extend besides the agents. */
  bases?: readonly Agent[];
  /** The daemon's environment. */
  env: Environment;
  /** `GANTRY_HOME`. */
  home: string;
  /** Told when an agent could not be asked. */
  log?: (line: string) => void;
  probeDeadlineMs?: number;
  now?: () => number;
};

/** All that is needed to start an agent. */
export type ResolvedAgent = {
  agent: Agent;
  /** `env` comes on top of the daemon's environment (`agentEnvironment`) and below a session's own. */
  bin: { command: string[]; env: Record<string, string> };
  version: string | undefined;
  channel: Channel<never>;
};

const PROBE_DEADLINE_MS = 20_000;
const KEEP_MS = 10 * 60_000;
/** What a person is about to mend is soon asked again. */
const KEEP_TROUBLE_MS = 15_000;

type Kept = { fingerprint: string; until: number; row: AgentRow };

/**
 * The agents of this machine: built-in ones and local profiles, as they are installed right now. Answers are kept in
 * memory as long as the program on disk is the same; all agents are asked at once and none can hold up another.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #shell: LoginShell;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<AgentRow>>();
  readonly #versions = new Map<string, Promise<string | undefined>>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#shell = new LoginShell(options.env);
    this.#now = options.now ?? Date.now;
  }

  /** All rows, in the order of the registry, profiles after them. `refresh` asks every agent anew. */
  async list(refresh = false): Promise<AgentRow[]> {
    return Promise.all(this.#rows(refresh));
  }

  /** The same rows, each as it lands; resolves after the last. */
  async stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void> {
    await Promise.all(this.#rows(refresh).map(async (row) => onRow(await row)));
  }

  /** The agent as data, whether it is installed or not. */
  find(id: string): Agent | undefined {
    return this.#known().entries.find(({ agent }) => agent.id === id)?.agent;
  }

  /** One row. Throws `GantryError` (`no_such_agent`). */
  async row(id: string): Promise<AgentRow> {
    const entry = this.#entry(id);
    return "agent" in entry ? this.#row(entry) : entry;
  }

  /**
   * What is needed to start an agent, without waiting for a probe: at most the program is looked for and asked for its
   * version; an agent with several channels is asked for them where its version does not tell, or when it is tried
   * `again` after a failure. Throws `GantryError`: `no_such_agent`, or `agent_unavailable` with what to do about it.
   */
  async resolve(id: string, again = false): Promise<ResolvedAgent> {
    const entry = this.#entry(id);
    if (!("agent" in entry)) throw unavailable(entry);
    const { agent } = entry;
    const location = await locate(entry, this.#options.env, this.#shell);
    if (location.state !== "installed") throw unavailable(absentRow(agent, location));
    const version = await this.#version(location);
    const certain = agent.channels.length === 1 ? agent.channels[0]?.name : version && agent.channelOf?.(version);
    const doubtful = !certain || (again && agent.channels.length > 1);
    const known = doubtful ? await this.#row(entry) : await this.#verdict(entry, location);
    // A probe that had to be waited for may have been too slow on a busy machine: starting it tells more.
    if (!doubtful && known?.state === "broken") throw unavailable(known);
    const channel = agent.channels.find(({ name }) => name === (known?.channel ?? certain)) ?? agent.channels[0];
    if (!channel) throw new GantryError("agent_unavailable", `${agent.name} has no channel.`);
    return { agent, bin: { command: location.command, env: location.env }, version, channel };
  }

  #rows(refresh: boolean): Promise<AgentRow>[] {
    if (refresh) this.#forget();
    const { entries, broken } = this.#known();
    return [...entries.map((entry) => this.#row(entry)), ...broken.map((row) => Promise.resolve(row))];
  }

  #forget(): void {
    this.#kept.clear();
    this.#versions.clear();
    this.#shell.forget();
  }

  #known(): { entries: AgentEntry[]; broken: AgentRow[] } {
    const { agents, home } = this.#options;
    const profiles = loadProfiles(home, agents, this.#options.bases);
    return { entries: [...agents.map((agent) => ({ agent, env: {} })), ...profiles.entries], broken: profiles.broken };
  }

  #entry(id: string): AgentEntry | AgentRow {
    const { entries, broken } = this.#known();
    const found = entries.find(({ agent }) => agent.id === id) ?? broken.find((row) => row.id === id);
    if (found) return found;
    const ids = entries.map(({ agent }) => agent.id).join(", ");
    throw new GantryError("no_such_agent", `There is no agent "${id}".`, { remedy: `Use one of: ${ids}.` });
  }

  async #row(entry: AgentEntry): Promise<AgentRow> {
    const { agent } = entry;
    try {
      const location = await locate(entry, this.#options.env, this.#shell);
      if (location.state !== "installed") return absentRow(agent, location);
      return this.#recall(agent.id, location) ?? (await this.#ask(entry, location));
    } catch (error) {
      const message = `Looking for ${agent.name} failed: ${(error as Error).message}`;
      this.#options.log?.(message);
      return unknownRow(agent, {
        code: "search_failed",
        message,
        fix: "Refresh; if it stays, report it with the log.",
      });
    }
  }

  #recall(id: string, { fingerprint }: Installed): AgentRow | undefined {
    const kept = this.#kept.get(id);
    return kept?.fingerprint === fingerprint && this.#now() < kept.until ? kept.row : undefined;
  }

  /** Two that ask at the same time get the same answer. */
  #ask({ agent }: AgentEntry, location: Installed): Promise<AgentRow> {
    const key = `${agent.id} ${location.fingerprint}`;
    const asking = this.#asking.get(key) ?? this.#probe(agent, location).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #probe(agent: Agent, location: Installed): Promise<AgentRow> {
    const { env, log, probeDeadlineMs = PROBE_DEADLINE_MS } = this.#options;
    const outcome = await probeAgent(agent, location, env, probeDeadlineMs);
    const row = askedRow(agent, location, outcome);
    const healthy = row.state === "ready" && row.auth.state !== "missing";
    if (row.state !== "ready") log?.(`${agent.id} is ${row.state}: ${row.problems.map((p) => p.message).join(" ")}`);
    const until = this.#now() + (healthy ? KEEP_MS : KEEP_TROUBLE_MS);
    this.#kept.set(agent.id, { fingerprint: location.fingerprint, until, row });
    return row;
  }

  /** What is known already. A bad verdict is checked first: it may come from a moment that has passed. */
  async #verdict(entry: AgentEntry, location: Installed): Promise<AgentRow | undefined> {
    const known = this.#recall(entry.agent.id, location);
    return known?.state === "broken" ? this.#ask(entry, location) : known;
  }

  #version(location: Installed): Promise<string | undefined> {
    if (location.how === "built in") return Promise.resolve(undefined);
    const version = this.#versions.get(location.fingerprint) ?? quickVersion(location, this.#options.env);
    this.#versions.set(location.fingerprint, version);
    return version;
  }
}

function unavailable(row: AgentRow): GantryError {
  const [problem] = row.problems;
  const message = problem?.message ?? `${row.name} cannot be started.`;
  return new GantryError("agent_unavailable", message, { remedy: problem?.fix, details: { agent: row } });
}
