import { join } from "node:path";
import { type AgentRow, type ConversationList, GantryError, type Offer } from "@gantry/protocol";
import type { Agent, Channel } from "./contract.ts";
import { absentRow, askedRow, unknownRow } from "./finding/agent-row.ts";
import { agentEnvironment, type Environment } from "./finding/environment.ts";
import { type Answer, KeptAnswers } from "./finding/kept-answers.ts";
import { type AgentEntry, type Installed, locate, type NotInstalled } from "./finding/locate.ts";
import { LoginShell } from "./finding/login-shell.ts";
import { installOffer, loginOffer } from "./finding/offers.ts";
import { probeAgent, quickVersion } from "./finding/probe-agent.ts";
import { makeProbeTools } from "./finding/probe-tools.ts";
import { type LoadedProfiles, loadProfiles, type ParsedProfiles } from "./profiles.ts";

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

/** What an agent may be offered, and what an offered command needs beyond the daemon's environment. */
export type OfferedAgent = { offers: Offer[]; env: Record<string, string> };

const PROBE_DEADLINE_MS = 45_000;
const KEEP_MS = 10 * 60_000;
/** What a person is about to mend is soon asked again. */
const KEEP_TROUBLE_MS = 15_000;

/**
 * The agents of this machine: built-in ones and local profiles, as they are installed right now. Answers are kept, also
 * for the next daemon, as long as the program on disk is the same. One that has grown old is shown at once and asked
 * for anew meanwhile. All agents are asked at once and none can hold up another.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #shell: LoginShell;
  readonly #now: () => number;
  readonly #started: number;
  readonly #kept: KeptAnswers;
  readonly #asking = new Map<string, Promise<Answer>>();
  readonly #versions = new Map<string, Promise<string | undefined>>();
  /** Where agents were last found. */
  readonly #places = new Map<string, Installed>();
  readonly #parsedProfiles: ParsedProfiles = new Map();
  /** The agents as the profile files were when they were last read. */
  #loaded: LoadedProfiles & { byId: Map<string, AgentEntry> };

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#shell = new LoginShell(options.env);
    this.#now = options.now ?? Date.now;
    this.#started = this.#now();
    this.#kept = new KeptAnswers(join(options.home, "cache", "agents.json"));
    this.#loaded = this.#load();
  }

  /**
   * All rows, in the order of the registry, profiles after them. Rows that have grown old are given as they are and
   * are newer the next time; `refresh` asks every agent anew and waits for it.
   */
  async list(refresh = false): Promise<AgentRow[]> {
    return Promise.all(this.#rows(refresh).map(async (row) => (await row).row));
  }

  /** The same rows, each as it lands; one that has grown old is followed by its successor. Resolves after the last. */
  async stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void> {
    const tell = async (row: Promise<Row>) => {
      const { row: now, next } = await row;
      onRow(now);
      if (next) onRow(await next);
    };
    await Promise.all(this.#rows(refresh).map(tell));
  }

  /**
   * The agent as data, whether it is installed or not. For the event path: no file is read. Profiles are as of the last
   * call that lists, looks up or resolves agents, and starting a process resolves its agent.
   */
  find(id: string): Agent | undefined {
    return this.#loaded.byId.get(id)?.agent;
  }

  /** The same after a look at the profile files. */
  lookUp(id: string): Agent | undefined {
    this.#known();
    return this.find(id);
  }

  /** One row, never an old one, with `refresh` asked anew in any case. Throws `GantryError` (`no_such_agent`). */
  async row(id: string, refresh = false): Promise<AgentRow> {
    if (refresh) this.#forget();
    const entry = this.#entry(id);
    if (!("agent" in entry)) return entry;
    const { row, next } = await this.#row(entry, refresh);
    return next ?? row;
  }

  /** Every command there is to install an agent or to log it in. Throws `GantryError` (`no_such_agent`). */
  async offers(id: string): Promise<OfferedAgent> {
    const entry = this.#entry(id);
    if (!("agent" in entry)) return { offers: [], env: {} };
    const location = await this.#locate(entry);
    const found = location.state === "installed" ? location : undefined;
    const install = entry.own ? undefined : installOffer(entry.agent);
    const login = found && loginOffer(entry, found);
    return { offers: [install, login].filter((offer) => offer !== undefined), env: found?.env ?? {} };
  }

  /** The command that logs an agent in, as far as is known without looking for its program. */
  loginOffer(id: string): Offer | undefined {
    const entry = this.#loaded.byId.get(id);
    return entry && loginOffer(entry, this.#places.get(id));
  }

  /** The account that an agent is logged in with, as far as is known without asking it. Reads no file after a start. */
  account(id: string): string | undefined {
    const place = this.#places.get(id);
    return place && this.#kept.get(id, place.fingerprint)?.outcome.probe.auth.account;
  }

  /**
   * What is needed to start an agent, without waiting for a probe: what is known of the program on disk is enough. Of
   * one that was never asked the version is read; if it has several channels and the version does not tell which, it is
   * asked, and so it is when it is tried `again` after a failure. Throws `GantryError`: `no_such_agent`, or
   * `agent_unavailable` with what to do about it.
   */
  async resolve(id: string, again = false): Promise<ResolvedAgent> {
    const entry = this.#entry(id);
    if (!("agent" in entry)) throw unavailable(entry);
    const { agent } = entry;
    const location = await this.#locate(entry);
    if (location.state !== "installed") throw unavailable(absentRow(entry, location));
    const { version, name } = await this.#choose(entry, location, again);
    const channel = agent.channels.find((one) => one.name === name) ?? agent.channels[0];
    if (!channel) throw new GantryError("agent_unavailable", `${agent.name} has no channel.`);
    return { agent, bin: { command: location.command, env: location.env }, version, channel };
  }

  /** The version and the name of the channel, where they are known. */
  async #choose(entry: AgentEntry, location: Installed, again: boolean): Promise<{ version?: string; name?: string }> {
    const { agent } = entry;
    const several = agent.channels.length > 1;
    let answer = this.#kept.get(agent.id, location.fingerprint);
    // A bad verdict may come from a moment that has passed, and so may a good one when it has just failed.
    if (answer?.outcome.state === "broken" || (again && several)) {
      answer = await this.#ask(agent, location);
      if (answer.outcome.state === "broken") throw unavailable(askedRow(entry, location, answer));
    }
    const version = answer?.outcome.probe.version ?? (await this.#version(location));
    const certain = answer?.outcome.probe.channel ?? (version && agent.channelOf?.(version));
    if (!several || certain || answer) return { version, name: certain };
    // A verdict that had to be waited for may be that of a busy machine: starting the agent tells more.
    const { outcome } = await this.#ask(agent, location);
    return { version: outcome.probe.version ?? version, name: outcome.probe.channel };
  }

  /**
   * The conversations that an agent keeps by itself, of one folder or of all: it is started, asked and ended. Throws
   * `GantryError`: `no_such_agent`, `unsupported` where it cannot be asked, or `agent_unavailable`.
   */
  async conversations(id: string, cwd?: string): Promise<ConversationList> {
    const { agent, bin, channel } = await this.resolve(id);
    if (!channel.conversations) throw cannotList(agent, "it has no way to be asked for them.");
    const tools = makeProbeTools(bin.command, agentEnvironment(this.#options.env, bin.env));
    const listed = await channel.conversations(tools, cwd).finally(() => tools.close());
    if (listed.ok) return { conversations: listed.conversations, complete: listed.complete };
    if (listed.why === "unsupported") throw cannotList(agent, listed.message);
    const login = listed.why === "login";
    const message = `${agent.name} did not list its conversations: ${listed.message}`;
    const remedy = login ? `Log it in: \`gantry login ${id}\`.` : `See \`gantry doctor ${id}\`.`;
    const offer = login ? this.loginOffer(id) : undefined;
    throw new GantryError("agent_unavailable", message, { remedy, details: { offer } });
  }

  #rows(refresh: boolean): Promise<Row>[] {
    if (refresh) this.#forget();
    const { entries, broken } = this.#known();
    return [...entries.map((entry) => this.#row(entry, refresh)), ...broken.map(async (row) => ({ row }))];
  }

  #forget(): void {
    this.#versions.clear();
    this.#shell.forget();
  }

  /** The agents as the profile files are now. Not for the event path: it reads them. */
  #known(): LoadedProfiles {
    this.#loaded = this.#load();
    return this.#loaded;
  }

  #load(): LoadedProfiles & { byId: Map<string, AgentEntry> } {
    const { agents, bases, home } = this.#options;
    const profiles = loadProfiles(home, agents, bases, this.#parsedProfiles);
    const entries = [...agents.map((agent) => ({ agent, env: {} })), ...profiles.entries];
    return { entries, broken: profiles.broken, byId: new Map(entries.map((entry) => [entry.agent.id, entry])) };
  }

  #entry(id: string): AgentEntry | AgentRow {
    const { entries, broken } = this.#known();
    const found = entries.find(({ agent }) => agent.id === id) ?? broken.find((row) => row.id === id);
    if (found) return found;
    const ids = entries.map(({ agent }) => agent.id).join(", ");
    throw new GantryError("no_such_agent", `There is no agent "${id}".`, { remedy: `Use one of: ${ids}.` });
  }

  async #row(entry: AgentEntry, refresh: boolean): Promise<Row> {
    const { agent } = entry;
    try {
      const location = await this.#locate(entry);
      if (location.state !== "installed") return { row: absentRow(entry, location) };
      const kept = refresh ? undefined : this.#kept.get(agent.id, location.fingerprint);
      const age = kept ? this.#age(kept) : "expired";
      const rowOf = (answer: Answer) => askedRow(entry, location, answer);
      if (!kept || age === "expired") return { row: rowOf(await this.#ask(agent, location)) };
      return { row: rowOf(kept), next: age === "old" ? this.#ask(agent, location).then(rowOf) : undefined };
    } catch (error) {
      const message = `Looking for ${agent.name} failed: ${(error as Error).message}`;
      this.#options.log?.(message);
      const fix = "Refresh; if it stays, report it with the log.";
      return { row: unknownRow(agent, { code: "search_failed", message, fix }) };
    }
  }

  async #locate(entry: AgentEntry): Promise<Installed | NotInstalled> {
    const location = await locate(entry, this.#options.env, this.#shell);
    if (location.state === "installed") this.#places.set(entry.agent.id, location);
    else this.#places.delete(entry.agent.id);
    return location;
  }

  /**
   * Is an answer good (`fresh`), good enough to be shown while it is asked for anew (`old`), or not to be shown at all?
   * What an earlier daemon was told may depend on an environment that this one does not have.
   */
  #age({ askedAt, outcome: { state, probe } }: Answer): "fresh" | "old" | "expired" {
    const healthy = state === "ready" && probe.auth.state !== "missing";
    const keep = healthy ? KEEP_MS : KEEP_TROUBLE_MS;
    if (askedAt >= this.#started && this.#now() - askedAt < keep) return "fresh";
    // A login leaves the program as it is; whatever mends a broken one does not.
    return probe.auth.state === "missing" ? "expired" : "old";
  }

  /** Two that ask at the same time get the same answer. Never rejects. */
  #ask(agent: Agent, location: Installed): Promise<Answer> {
    const key = `${agent.id} ${location.fingerprint}`;
    const asking = this.#asking.get(key) ?? this.#probe(agent, location).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #probe(agent: Agent, location: Installed): Promise<Answer> {
    const { env, log, probeDeadlineMs = PROBE_DEADLINE_MS } = this.#options;
    const outcome = await probeAgent(agent, location, env, probeDeadlineMs);
    const { state, probe } = outcome;
    if (state !== "ready") log?.(`${agent.id} is ${state}: ${probe.problems.map(({ message }) => message).join(" ")}`);
    const answer = { fingerprint: location.fingerprint, askedAt: this.#now(), outcome };
    this.#kept.put(agent.id, answer);
    return answer;
  }

  #version(location: Installed): Promise<string | undefined> {
    if (location.how === "built in") return Promise.resolve(undefined);
    const version = this.#versions.get(location.fingerprint) ?? quickVersion(location, this.#options.env);
    this.#versions.set(location.fingerprint, version);
    return version;
  }
}

/** A row, and the one that takes its place once the agent has been asked again. */
type Row = { row: AgentRow; next?: Promise<AgentRow> };

function cannotList({ name }: Agent, why: string): GantryError {
  const remedy =
    "Name a folder, or look the conversation's id up with the agent itself: `gantry run --resume` takes it.";
  return new GantryError("unsupported", `${name} does not tell these conversations: ${why}`, { remedy });
}

function unavailable(row: AgentRow): GantryError {
  const [problem] = row.problems;
  const message = problem?.message ?? `${row.name} cannot be started.`;
  const [offer] = row.offers;
  return new GantryError("agent_unavailable", message, { remedy: problem?.fix, details: { agent: row, offer } });
}
