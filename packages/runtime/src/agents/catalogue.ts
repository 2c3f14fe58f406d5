import { join } from "node:path";
import {
  type AgentRow,
  type ConversationList,
  GantryError,
  type KnownCommand,
  type Model,
  type Offer,
} from "@gantry/protocol";
import type { Agent, Channel } from "./contract.ts";
import { agentEnvironment, type Environment } from "./finding/environment.ts";
import { type AgentEntry, type Installed, type Located, locateAgent } from "./finding/locate.ts";
import { LoginShell } from "./finding/login-shell.ts";
import { entryInstallCommand, loginCommand } from "./finding/setup-commands.ts";
import { absentRow, probedRow, unknownRow } from "./probing/agent-row.ts";
import { printedVersion, probeAgent } from "./probing/probe-agent.ts";
import { type CachedProbe, ProbeCache } from "./probing/probe-cache.ts";
import { makeProbeTools } from "./probing/probe-tools.ts";
import { type LoadedProfiles, loadProfiles, type ParsedProfiles } from "./profiles.ts";

export type CatalogueOptions = {
  agents: readonly Agent[];
  /** Further agents that profiles may extend. */
  bases?: readonly Agent[];
  /** The daemon's environment. */
  env: Environment;
  /** `GANTRY_HOME`. */
  home: string;
  /** Receives one line for each probe that failed. */
  log?: (line: string) => void;
  probeDeadlineMs?: number;
  now?: () => number;
};

/** Everything needed to start an agent. */
export type ResolvedAgent = {
  agent: Agent;
  /** `env` overrides the daemon's environment (`agentEnvironment`); a session's environment overrides both. */
  bin: { command: string[]; env: Record<string, string> };
  version: string | undefined;
  channel: Channel<never>;
};

/** The set-up commands (install, login) of an agent, and the environment they need beyond the daemon's. */
export type AgentSetup = { offers: Offer[]; env: Record<string, string> };

const PROBE_DEADLINE_MS = 45_000;
/** The start of a session waits this long for the version, which it can do without. */
const QUICK_VERSION_MS = 1500;
const PATIENT_VERSION_MS = 20_000;
const READY_TTL_MS = 10 * 60_000;
/** Short, because the user is probably fixing the problem. */
const PROBLEM_TTL_MS = 15_000;

/**
 * The agents on this machine: built-in ones and local profiles, in their current state. Probe results are cached across
 * daemon restarts until the program on disk changes. A stale result is returned at once and refreshed in the
 * background. Probes run concurrently and do not delay each other.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #shell: LoginShell;
  readonly #now: () => number;
  readonly #started: number;
  readonly #probes: ProbeCache;
  readonly #asking = new Map<string, Promise<CachedProbe>>();
  readonly #versions = new Map<string, Promise<string | undefined>>();
  /** The last known location of each agent. */
  readonly #places = new Map<string, Installed>();
  /** The preferred channel of the descriptor that applies, for agents that have two. */
  readonly #chosen = new Map<string, string | undefined>();
  readonly #parsedProfiles: ParsedProfiles = new Map();
  /** Built-in agents and profiles, as of the last read of the profile files. */
  #loaded: LoadedProfiles & { byId: Map<string, AgentEntry> };

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#shell = new LoginShell(options.env);
    this.#now = options.now ?? Date.now;
    this.#started = this.#now();
    this.#probes = new ProbeCache(join(options.home, "cache", "agents.json"));
    this.#loaded = this.#load();
  }

  /**
   * All rows in registry order, profiles last. Stale rows are returned and refreshed in the background; `refresh`
   * probes every agent and waits.
   */
  async list(refresh = false): Promise<AgentRow[]> {
    return Promise.all(this.#rows(refresh).map(async (row) => (await row).row));
  }

  /**
   * Calls `onRow` for each row as it becomes available, and again when a stale row was refreshed. Resolves after the
   * last call.
   */
  async stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void> {
    const publish = async (row: Promise<Row>) => {
      const { row: now, next } = await row;
      onRow(now);
      if (next) onRow(await next);
    };
    await Promise.all(this.#rows(refresh).map(publish));
  }

  /** The agent's descriptor, installed or not: of two, the one that was located last. */
  find(id: string): Agent | undefined {
    const agent = this.#loaded.byId.get(id)?.agent;
    const other = agent?.otherwise;
    if (!other) return agent;
    const last = this.#chosen.get(id) ?? this.#probes.channelOf(id);
    return last === other.channels[0]?.name ? other : agent;
  }

  /** Like `find`, after re-reading the profile files. */
  lookUp(id: string): Agent | undefined {
    this.#reload();
    return this.find(id);
  }

  /** One row, never a stale one; `refresh` forces a probe. Throws `GantryError` (`no_such_agent`). */
  async row(id: string, refresh = false): Promise<AgentRow> {
    if (refresh) this.#forget();
    const entry = this.#entry(id);
    if (!("agent" in entry)) return entry;
    const { row, next } = await this.#row(entry, refresh);
    return next ?? row;
  }

  /** The install and login commands of an agent. Throws `GantryError` (`no_such_agent`). */
  async offers(id: string): Promise<AgentSetup> {
    const known = this.#entry(id);
    if (!("agent" in known)) return { offers: [], env: {} };
    const { entry, location } = await this.#locate(known);
    const found = location.state === "installed" ? location : undefined;
    const install = entryInstallCommand(entry);
    const login = found && loginCommand(entry, found);
    return { offers: [install, login].filter((offer) => offer !== undefined), env: found?.env ?? {} };
  }

  /** The login command, from cached data only. */
  loginOffer(id: string): Offer | undefined {
    const entry = this.#loaded.byId.get(id);
    const agent = this.find(id);
    return entry && agent && loginCommand({ ...entry, agent }, this.#places.get(id));
  }

  /** The models of the last probe, else the descriptor's. From cached data only. */
  knownModels(id: string): readonly Model[] {
    const place = this.#places.get(id);
    const probed = place && this.#probes.get(id, place.fingerprint)?.outcome.probe.models;
    return probed?.length ? probed : (this.find(id)?.fallbackModels ?? []);
  }

  /** The local profile of an agent, from cached data only. `undefined`: the agent ships with Gantry. */
  profile(id: string): AgentEntry["profile"] {
    return this.#loaded.byId.get(id)?.profile;
  }

  /** The commands of the last probe. From cached data only. */
  knownCommands(id: string): readonly KnownCommand[] {
    const place = this.#places.get(id);
    return (place && this.#probes.get(id, place.fingerprint)?.outcome.probe.commands) ?? [];
  }

  /** The account that the agent is logged in with, from cached data only. */
  account(id: string): string | undefined {
    const place = this.#places.get(id);
    return place && this.#probes.get(id, place.fingerprint)?.outcome.probe.auth.account;
  }

  /**
   * Resolves what is needed to start an agent, from cached data where possible. For an agent that was never probed,
   * only the version is read; it is probed if it has several channels and the version does not decide which. `again` (a
   * retry after a failed start) probes it as well. Throws `GantryError`: `no_such_agent`, or `agent_unavailable` with a
   * remedy.
   */
  async resolve(id: string, again = false): Promise<ResolvedAgent> {
    const known = this.#entry(id);
    if (!("agent" in known)) throw unavailable(known);
    const { entry, location } = await this.#locate(known);
    const { agent } = entry;
    if (location.state !== "installed") throw unavailable(absentRow(entry, location));
    const { version, name } = await this.#choose(entry, location, again);
    const channel = agent.channels.find((one) => one.name === name) ?? agent.channels[0];
    if (!channel) throw new GantryError("agent_unavailable", `${agent.name} has no channel.`);
    return { agent, bin: { command: location.command, env: location.env }, version, channel };
  }

  /** The version of an installed agent, for a caller that needs it and can wait. `undefined`: it did not print one. */
  async readVersion(id: string): Promise<string | undefined> {
    const entry = this.#entry(id);
    const location = "agent" in entry ? (await this.#locate(entry)).location : undefined;
    if (location?.state !== "installed") return undefined;
    const known = await this.#version(location);
    if (known !== undefined) return known;
    // A slow program on a busy machine exceeds the short timeout of a start.
    this.#versions.delete(location.fingerprint);
    return this.#version(location, PATIENT_VERSION_MS);
  }

  /** The version and the channel name, where known. */
  async #choose(entry: AgentEntry, location: Installed, again: boolean): Promise<{ version?: string; name?: string }> {
    const { agent } = entry;
    const several = agent.channels.length > 1;
    let answer = this.#probes.get(agent.id, location.fingerprint);
    // A cached failure may be outdated. So may a cached success after the agent has just failed to start.
    if (answer?.outcome.state === "broken" || (again && several)) {
      answer = await this.#ask(agent, location);
      if (answer.outcome.state === "broken") throw unavailable(probedRow(entry, location, answer));
    }
    const version = answer?.outcome.probe.version ?? (await this.#version(location));
    const certain = answer?.outcome.probe.channel ?? (version && agent.channelOf?.(version));
    if (!several || certain || answer) return { version, name: certain };
    // On a busy machine the probe may have timed out, so its failure does not prevent the start.
    const { outcome } = await this.#ask(agent, location);
    return { version: outcome.probe.version ?? version, name: outcome.probe.channel };
  }

  /**
   * Lists the agent's stored conversations, of one folder or of all, in a short-lived process. Throws `GantryError`:
   * `no_such_agent`, `unsupported` if the agent cannot list them, or `agent_unavailable`.
   */
  async conversations(id: string, cwd?: string): Promise<ConversationList> {
    const { agent, bin, channel } = await this.resolve(id);
    if (!channel.conversations) throw cannotList(agent, "this channel cannot list conversations.");
    const tools = makeProbeTools(bin.command, agentEnvironment(this.#options.env, bin.env));
    const listed = await channel.conversations(tools, cwd).finally(() => tools.close());
    if (listed.ok) return { conversations: listed.conversations, complete: listed.complete };
    if (listed.why === "unsupported") throw cannotList(agent, listed.message);
    const login = listed.why === "login";
    const message = `${agent.name} did not list its conversations: ${listed.message}`;
    const remedy = login ? `Log in with \`gantry login ${id}\`.` : `See \`gantry doctor ${id}\`.`;
    const offer = login ? this.loginOffer(id) : undefined;
    throw new GantryError("agent_unavailable", message, { remedy, details: { offer } });
  }

  #rows(refresh: boolean): Promise<Row>[] {
    if (refresh) this.#forget();
    const { entries, broken } = this.#reload();
    return [...entries.map((entry) => this.#row(entry, refresh)), ...broken.map(async (row) => ({ row }))];
  }

  #forget(): void {
    this.#versions.clear();
    this.#shell.forget();
  }

  /** Re-reads the profile files. Not for the event path, because it does I/O. */
  #reload(): LoadedProfiles {
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
    const { entries, broken } = this.#reload();
    const found = entries.find(({ agent }) => agent.id === id) ?? broken.find((row) => row.id === id);
    if (found) return found;
    const ids = entries.map(({ agent }) => agent.id).join(", ");
    throw new GantryError("no_such_agent", `There is no agent "${id}".`, { remedy: `Use one of: ${ids}.` });
  }

  async #row(known: AgentEntry, refresh: boolean): Promise<Row> {
    try {
      const { entry, location } = await this.#locate(known);
      const { agent } = entry;
      if (location.state !== "installed") return { row: absentRow(entry, location) };
      const cached = refresh ? undefined : this.#probes.get(agent.id, location.fingerprint);
      const age = cached ? this.#age(cached) : "expired";
      const rowOf = (answer: CachedProbe) => probedRow(entry, location, answer);
      if (!cached || age === "expired") return { row: rowOf(await this.#ask(agent, location)) };
      return { row: rowOf(cached), next: age === "stale" ? this.#ask(agent, location).then(rowOf) : undefined };
    } catch (error) {
      const { agent } = known;
      const message = `Looking for ${agent.name} failed: ${(error as Error).message}`;
      this.#options.log?.(message);
      const fix = "Refresh. If the problem persists, report it with the daemon's log.";
      return { row: unknownRow(agent, { code: "search_failed", message, fix }) };
    }
  }

  async #locate(known: AgentEntry): Promise<Located> {
    const located = await locateAgent(known, this.#options.env, this.#shell);
    const { agent } = located.entry;
    if (located.location.state === "installed") this.#places.set(agent.id, located.location);
    else this.#places.delete(agent.id);
    if (known.agent.otherwise) this.#chosen.set(agent.id, agent.channels[0]?.name);
    return located;
  }

  /**
   * `fresh`: use it. `stale`: show it and refresh in the background. `expired`: do not show it. A result from an
   * earlier daemon is never fresh, because it may depend on that daemon's environment.
   */
  #age({ askedAt, outcome: { state, probe } }: CachedProbe): "fresh" | "stale" | "expired" {
    const healthy = state === "ready" && probe.auth.state !== "missing";
    const maxAge = healthy ? READY_TTL_MS : PROBLEM_TTL_MS;
    if (askedAt >= this.#started && this.#now() - askedAt < maxAge) return "fresh";
    // A login does not change the program's fingerprint, while a reinstall does.
    return probe.auth.state === "missing" ? "expired" : "stale";
  }

  /** Concurrent calls share one probe. Never rejects. */
  #ask(agent: Agent, location: Installed): Promise<CachedProbe> {
    const key = `${agent.id} ${location.fingerprint}`;
    const asking = this.#asking.get(key) ?? this.#probe(agent, location).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #probe(agent: Agent, location: Installed): Promise<CachedProbe> {
    const { env, log, probeDeadlineMs = PROBE_DEADLINE_MS } = this.#options;
    const outcome = await probeAgent(agent, location, env, probeDeadlineMs);
    const { state, probe } = outcome;
    if (state !== "ready") log?.(`${agent.id} is ${state}: ${probe.problems.map(({ message }) => message).join(" ")}`);
    const answer = { fingerprint: location.fingerprint, askedAt: this.#now(), outcome };
    this.#probes.put(agent.id, answer);
    return answer;
  }

  #version(location: Installed, timeoutMs = QUICK_VERSION_MS): Promise<string | undefined> {
    if (location.how === "built in") return Promise.resolve(undefined);
    const version = this.#versions.get(location.fingerprint) ?? printedVersion(location, this.#options.env, timeoutMs);
    this.#versions.set(location.fingerprint, version);
    return version;
  }
}

/** A row, and its replacement once a background probe has finished. */
type Row = { row: AgentRow; next?: Promise<AgentRow> };

function cannotList({ name }: Agent, why: string): GantryError {
  const remedy =
    "Specify a folder, or find the conversation's id in the agent itself and pass it to `gantry run --resume`.";
  return new GantryError("unsupported", `${name} cannot list these conversations: ${why}`, { remedy });
}

function unavailable(row: AgentRow): GantryError {
  const [problem] = row.problems;
  const message = problem?.message ?? `${row.name} cannot be started.`;
  const [offer] = row.offers;
  return new GantryError("agent_unavailable", message, { remedy: problem?.fix, details: { agent: row, offer } });
}
