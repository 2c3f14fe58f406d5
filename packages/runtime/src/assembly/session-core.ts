import { homedir } from "node:os";
import { GantryError, type SessionView } from "@gantry/protocol";
import { knownCommands } from "../agents/commands/known-commands.ts";
import type { Agent } from "../agents/contract.ts";
import { findAgentCode, type ProjectCodeTrust } from "../agents/project/find-code.ts";
import { readLostMemory } from "../agents/project/memory.ts";
import { coordinatorServer, KIT_HINT, KIT_SERVER } from "../coordinator/kit-server.ts";
import { SessionDefaults } from "../defaults/defaults.ts";
import { briefSummary } from "../handoff/summary.ts";
import { Identities } from "../identities/identities.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { placeSession, requirePlace } from "../lanes/place-session.ts";
import type { Limits } from "../limits/limits.ts";
import { openLimits } from "../limits/open-limits.ts";
import { DiskWatch } from "../log/disk-watch.ts";
import { listPrice } from "../prices/prices.ts";
import type { CommandLookup } from "../server/handlers/agents.ts";
import type { Publisher } from "../session/api.ts";
import { combinePublishers } from "../session/commit.ts";
import { type ServiceDeps, Sessions } from "../session/service.ts";
import { readSessionServers, withSessionServers } from "../session/storage/session-servers.ts";
import { Settings } from "../settings/settings.ts";
import { LEAD_HINT, openSpawns, SPAWN_HINT, type SpawnParts } from "../spawns/open-spawns.ts";
import { withShim } from "../spawns/shim.ts";
import type { AgentParts } from "./agents.ts";
import type { Base } from "./base.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

/** Sessions and the services that they cannot run without. */
export type SessionCore = Workspaces & {
  spawning: SpawnParts;
  limits: Limits;
  sessions: Sessions;
  settings: Settings;
  defaults: SessionDefaults;
  identities: Identities;
  /** Receive every commit, in this order. Features append themselves before the daemon listens. */
  observers: Partial<Publisher>[];
  /** The environment of agent processes and terminals. */
  processEnv: Record<string, string>;
  disk: DiskWatch;
  commands: CommandLookup;
};

export function openSessionCore(base: Base, agents: AgentParts): SessionCore {
  const { config, store, hub, log, id, now, onStep } = base;
  const { home, program } = base.options;
  const later = { sessions: (): Sessions => sessions, limits: (): Limits => limits };
  const workspaces = openWorkspaces(base, agents, later);
  const { lanes, checkpoints, textHelper } = workspaces;
  const common = { store, home, config, log };
  const spawning = openSpawns({ ...common, program, agent: agents.find, ...later, lanes: () => lanes, onStep });
  const kin = (view: SessionView) => spawning.family.kin(view);
  const limits = openLimits({ ...common, catalogue: agents.catalogue, sessions: () => sessions.limited, kin });
  const observers: Partial<Publisher>[] = [hub, spawning.announcer];
  const processEnv = withShim(agents.env, spawning.shim);
  const settings = new Settings(home, config, () => limits.changed());
  const defaults = openDefaults(base, agents, settings);
  const userHome = processEnv.HOME ?? homedir();
  const deps = agentDeps(base, agents, lanes, userHome, spawning.shim);
  const commands = lookUpCommands(base, agents, deps.projectCode, userHome);
  const sessions = new Sessions({
    ...common,
    ...deps,
    blobs: base.blobs,
    spool: base.spool,
    id,
    now,
    onStep,
    snapshots: checkpoints.turnCheckpoints,
    limits,
    price: listPrice,
    publisher: combinePublishers(observers),
    env: processEnv,
    onDiskFull: () => disk.reportFull(),
    surroundings: (view) => ({ ...lanes.surroundings(view.lane), ...spawning.surroundings(view, "agent") }),
    place: (body) => placeSession(lanes, body),
    fillDefaults: (body, cwd) => defaults.fill(body, cwd),
    protectedPlaces: { home, userHome },
    pinned: {
      text: (view, writable) => identities.pinnedText(view, writable),
      folders: (view) => identities.folders(view),
    },
    summarise: briefSummary(config, textHelper),
  });
  const disk = new DiskWatch({
    folder: home,
    isNeeded: () => sessions.hasTurn(),
    onFull: (since) => sessions.fullDisk.announce(since),
    onFreed: (since) => sessions.fullDisk.recordFreed(since),
    now,
    log,
  });
  const identities = new Identities({ home, store, sessions, isAgent: (agent) => agents.find(agent) !== undefined });
  const services = { spawning, limits, sessions, settings, defaults, identities, commands };
  return { ...workspaces, ...services, observers, processEnv, disk };
}

/** How many of the newest sessions are searched for the agent last used in a folder. */
const USED = 200;

/** Spawned sessions and imported ones are not a person's choice for the folder. */
function agentIn(folder: string) {
  return ({ cwd, view }: { cwd: string; view: SessionView }) =>
    cwd === folder && !view.spawn && view.origin !== "import" ? [view.agent] : [];
}

type AgentDeps =
  | "agent"
  | "loginOffer"
  | "rows"
  | "models"
  | "knownModels"
  | "requireAgent"
  | "readVersion"
  | "projectCode"
  | "resolve";

function openDefaults({ config, trust, store }: Base, agents: AgentParts, settings: Settings): SessionDefaults {
  return new SessionDefaults({
    config,
    trust,
    editConfig: (edits) => settings.edit(edits),
    rows: () => agents.catalogue.list(),
    agent: agents.find,
    usedAgents: (folder) => store.sessions.list({ limit: USED, archived: "any" }).sessions.flatMap(agentIn(folder)),
  });
}

/** The commands of agents, as far as they are known without starting one. */
function lookUpCommands(
  { store, trust, options }: Base,
  { catalogue, env, find }: AgentParts,
  projectCode: (agent: Agent, folder: string) => ProjectCodeTrust,
  home: string,
): CommandLookup {
  const isTrusted = async (agent: Agent, folder: string) => {
    if (!agent.usesRegistry) return projectCode(agent, folder).withheld.length === 0;
    const items = ((await options.findProjectCode?.(folder)) ?? []).filter(({ kind }) => kind === "extension");
    return trust.covers(folder, items);
  };
  const readProbed = (agent: string) => catalogue.knownCommands(agent);
  return async (id, folder) => {
    const agent = find(id);
    if (agent) return knownCommands({ store, env, home, isTrusted, readProbed }, agent, folder);
    throw new GantryError("no_such_agent", `There is no agent "${id}".`, { remedy: "`gantry agents` lists them." });
  };
}

/** How sessions look up, check and start agents. */
function agentDeps(
  { config, trust, store }: Base,
  { catalogue, kit: registry }: AgentParts,
  lanes: Lanes,
  userHome: string,
  shim: string | undefined,
) {
  const models = async (agent: string) => (await catalogue.row(agent)).models.items;
  const projectCode = (agent: Agent, folder: string): ProjectCodeTrust => {
    const found = findAgentCode([agent], folder, userHome);
    const withheld = found.filter((item) => !trust.covers(folder, [item]));
    return { found, withheld, ...(withheld.length > 0 ? { lostMemory: readLostMemory(agent, folder, userHome) } : {}) };
  };
  return {
    agent: (id) => catalogue.find(id),
    loginOffer: (id) => catalogue.loginOffer(id),
    rows: () => catalogue.list(),
    models,
    knownModels: (agent) => catalogue.knownModels(agent),
    requireAgent: async (id) => (await catalogue.resolve(id)).agent,
    readVersion: (id) => catalogue.readVersion(id),
    projectCode,
    resolve: async (view, again) => {
      requirePlace(lanes, view);
      const { agent, bin, channel, ...found } = await catalogue.resolve(view.agent, again);
      // The version decides whether and how the agent can be started with or without the project's code.
      const isNeeded = found.version === undefined && projectCode(agent, view.cwd).found.length > 0;
      const version = isNeeded ? await catalogue.readVersion(view.agent) : found.version;
      const { servers: shared, skills, problems } = registry.give(view.agent);
      const registered = withSessionServers(shared, readSessionServers(store, view.id));
      // A server that the user registered under this name replaces it.
      const isAllowed = config.mcp.offer === "all" || (config.mcp.offer === "leads" && view.lead === true);
      const isOffered = isAllowed && shim !== undefined && !registered.some(({ name }) => name === KIT_SERVER);
      const servers = isOffered ? [...registered, coordinatorServer(shim, view.id)] : registered;
      const hint = config.spawns.tell ? [SPAWN_HINT, isOffered ? KIT_HINT : ""] : []; // prose-ignore: config key
      const lead = view.lead ? LEAD_HINT : undefined;
      const texts = [config.prompt.instructions, view.instructions, lanes.instructions(view.lane), ...hint, lead];
      const instructions = texts.filter((text) => text).join("\n\n");
      const kit = { servers, skills, ...(instructions ? { instructions } : {}) };
      return { agent, command: bin.command, env: bin.env, version, channel, kit, problems };
    },
  } satisfies Pick<ServiceDeps, AgentDeps>;
}
