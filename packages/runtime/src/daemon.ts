import { homedir } from "node:os";
import { join } from "node:path";
import { makeIds, type SessionView } from "@gantry/protocol";
import { Catalogue } from "./agents/catalogue.ts";
import { agentEnvironment } from "./agents/finding/environment.ts";
import { ProfileFiles } from "./agents/profile-files.ts";
import { builtInAgents, demoAgent, profileBases } from "./agents/registry.ts";
import { openCheckpoints } from "./checkpoints/open-checkpoints.ts";
import { loadConfig } from "./config.ts";
import { openDaemonLog } from "./daemon-log.ts";
import { Demo } from "./demo/demo.ts";
import { featureHandlers, type Services } from "./features.ts";
import { Files } from "./files/files.ts";
import { lockHome, openHome, readToken, removeDaemonFile, writeDaemonFile } from "./home.ts";
import { Hub } from "./hub/hub.ts";
import { Identities } from "./identities/identities.ts";
import { Jobs } from "./jobs/jobs.ts";
import { KitRegistry } from "./kit/registry.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { openLanes } from "./lanes/open-lanes.ts";
import { placeSession, requirePlace } from "./lanes/place-session.ts";
import { openLaunches } from "./launches/open-launches.ts";
import type { Limits } from "./limits/limits.ts";
import { openLimits } from "./limits/open-limits.ts";
import { Blobs } from "./log/blobs.ts";
import type { Store } from "./log/port.ts";
import { openStore } from "./log/sqlite/open.ts";
import { Models } from "./models/models.ts";
import { Previews } from "./preview/previews.ts";
import { listPrice } from "./prices/prices.ts";
import { Ledger } from "./process/ledger.ts";
import { Spool } from "./process/spool.ts";
import { openSchedules } from "./schedules/open-schedules.ts";
import { Tickets } from "./server/access/tickets.ts";
import type { GantryServer } from "./server/http.ts";
import { createServer } from "./server/http.ts";
import { sessionFolder } from "./session/folders.ts";
import { briefSummary } from "./session/handoff/summary.ts";
import { combinePublishers } from "./session/publish.ts";
import { Sessions } from "./session/service.ts";
import { Settings } from "./settings/settings.ts";
import { agentAccess } from "./spawns/handlers.ts";
import { openSpawns, SPAWN_HINT } from "./spawns/open-spawns.ts";
import { withShim } from "./spawns/shim.ts";
import { endLeftTerminals, Terminals } from "./terminals/terminals.ts";
import { openTextHelper } from "./text-helper/open-text-helper.ts";
import { Titles } from "./titles/titles.ts";
import { Transfer } from "./transfer/transfer.ts";

export type DaemonOptions = {
  home: string;
  /** 0 or absent: the port it last had, if that is free, else any. */
  port?: number;
  host?: string;
  env: Record<string, string | undefined>;
  version: string;
  /** A folder with the built page, where there is one. */
  pageDir?: string;
  /** How the command line is run, for agents that call it: a program and its first arguments. */
  program?: readonly string[];
};

export type Daemon = {
  url: string;
  port: number;
  pid: number;
  token: string;
  /** A fresh one-time ticket for opening the page. */
  ticket(): string;
  /** Ends the daemon; says what became of the agents. Repeatable. */
  stop(agents: "keep" | "release"): Promise<{ agents: "keep" | "release"; running: number }>;
  /** Resolves when it has ended, whoever ended it. */
  stopped: Promise<void>;
};

const SWEEP_MS = 3_600_000;
const LEFT_TERMINALS = "terminals";
/** Of what one turn changed, so much goes into an exported file. */
const PATCH_BYTES = 5_000_000;

/** Puts everything together. Throws `DaemonHeldError`, `ConfigError` or `GantryError`, with nothing left behind. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { home } = options;
  openHome(home);
  const unlock = lockHome(home);
  try {
    return await assemble(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function assemble(options: DaemonOptions, unlock: () => void): Promise<Daemon> {
  const { home, env, version } = options;
  const config = loadConfig(home);
  const token = readToken(home);
  const log = openDaemonLog(home, [token]);
  const store = openStore(join(home, "gantry.db"));
  const blobs = new Blobs(home);
  const spool = new Spool(home);
  const hub = new Hub(store);
  const catalogue = new Catalogue({ agents: builtInAgents, bases: profileBases, env, home, log });
  const registry = new KitRegistry(home, env);
  const ids = makeIds(Date.now, Math.random);
  const onStep = dieAt(env.GANTRY_DIE_AT);
  const jobs = new Jobs({ store, log, now: () => new Date().toISOString(), onStep });
  const textHelper = openTextHelper({
    config,
    catalogue,
    store,
    limits: () => limits,
    env: agentEnvironment(env),
    id: () => ids("process"),
    log,
  });
  const lanes = openLanes({
    store,
    jobs,
    config,
    home,
    env: agentEnvironment(env),
    id: ids,
    textHelper,
    sessions: () => sessions,
  });
  const checkpoints = openCheckpoints({
    git: lanes.git,
    store,
    jobs,
    home,
    config,
    id: ids,
    publish: (session, events, records) => sessions.record(session, events, records),
    sessions: {
      forkPoint: (session, at) => sessions.forkPoint(session, at),
      fork: (session, body, place) => sessions.fork(session, body, place),
    },
    lanes,
    log,
  });
  const lookUp = (id: string) => catalogue.lookUp(id);
  const { program } = options;
  const spawning = openSpawns({
    store,
    home,
    config,
    program,
    agent: lookUp,
    log,
    sessions: () => sessions,
    lanes: () => lanes,
    onStep,
  });
  const agentEnv = withShim(agentEnvironment(env), spawning.shim);
  const kin = (view: SessionView) => spawning.family.kin(view);
  const limits: Limits = openLimits({ store, config, catalogue, log, sessions: () => sessions.limited, kin });
  const sessions: Sessions = new Sessions({
    store,
    snapshots: checkpoints.turnCheckpoints,
    limits,
    price: listPrice,
    blobs,
    spool,
    publisher: combinePublishers(
      hub,
      spawning.announcer,
      { committed: (session, rows) => titles.committed(session, rows) },
      { committed: (session, rows) => launching.committed(session, rows) },
      {
        committed: (session, rows) => schedules.committed(session, rows),
        removed: (session) => schedules.removed(session),
      },
      { removed: (session) => transfer.removed(session) },
    ),
    config,
    home,
    log,
    env: agentEnv,
    surroundings: (view) => ({ ...lanes.surroundings(view.lane), ...spawning.surroundings(view, "agent") }),
    place: (body) => placeSession(lanes, body),
    pinned: {
      text: (view, writable) => identities.standing(view, writable),
      folders: (view) => identities.folders(view),
    },
    id: ids,
    now: () => new Date().toISOString(),
    agent: (id) => catalogue.find(id),
    loginOffer: (id) => catalogue.loginOffer(id),
    rows: () => catalogue.list(),
    summarise: briefSummary(config, textHelper),
    models: async (agent) => (await catalogue.row(agent)).models.items,
    onStep,
    offersModel: async (agent, model) => (await catalogue.row(agent)).models.items.some(({ id }) => id === model),
    requireAgent: async (id) => (await catalogue.resolve(id)).agent,
    resolve: async (view, again) => {
      requirePlace(lanes, view);
      const { agent, bin, version: installed, channel } = await catalogue.resolve(view.agent, again);
      const hint = config.spawns.tell ? SPAWN_HINT : undefined;
      const instructions = [config.prompt.instructions, view.instructions, hint].filter((text) => text).join("\n\n");
      const { servers, skills, problems } = registry.give(view.agent);
      const kit = { servers, skills, ...(instructions ? { instructions } : {}) };
      return { agent, command: bin.command, env: bin.env, version: installed, channel, kit, problems };
    },
  });
  const identities = new Identities({ home, store, sessions, isAgent: (id) => lookUp(id) !== undefined });
  const schedules = openSchedules({
    store,
    sessions,
    config,
    home,
    agent: lookUp,
    id: () => ids("schedule"),
    log,
    onStep,
  });
  const describe = (id: string, words: { title?: string; summary?: string }) => sessions.describe(id, words);
  const titles = new Titles({ config, textHelper, store, describe, log });
  const terminals = openTerminals({
    store,
    catalogue,
    sessions,
    lanes,
    surroundings: (view) => spawning.surroundings(view, "terminal"),
    env: agentEnv,
    id: () => ids("terminal"),
    log,
  });
  const transfer = new Transfer({
    store,
    blobs,
    jobs,
    announcer: hub,
    sessions,
    agents: builtInAgents,
    agent: lookUp,
    env,
    userHome: env.HOME || homedir(),
    home,
    version,
    secrets: [token],
    briefChars: config.handoff.briefChars,
    patchOf: async (session, turn) => (await checkpoints.service.diff(session, turn, { bytes: PATCH_BYTES })).patch,
    id: ids,
    now: () => new Date().toISOString(),
  });
  const launching = openLaunches({ store, jobs, lanes, sessions, home, env: agentEnvironment(env), id: ids, log });
  let daemonPort: number | undefined;
  const previews = new Previews({
    id: () => ids("preview"),
    now: () => new Date().toISOString(),
    requireSession: (session) => sessions.get(session),
    daemonPort: () => daemonPort,
    inspectorDir: options.pageDir && join(options.pageDir, "inspector"),
    log,
  });
  await finishDeletions(store, blobs, spool);
  await endLeftTerminals(JSON.parse(store.meta.get(LEFT_TERMINALS) || "[]"));
  await new Ledger(store.processes).reconcile((session) => store.sessions.get(session) !== undefined);
  const models = new Models({ home, env });
  const tickets = new Tickets();
  let stop: Daemon["stop"] = async () => ({ agents: "keep", running: 0 });
  const services: Services = {
    service: sessions,
    hub,
    log: store,
    catalogue,
    kit: registry,
    identities,
    profiles: new ProfileFiles({
      home,
      agents: builtInAgents,
      bases: profileBases,
      onChange: (id) => askAnew(catalogue, id, log),
    }),
    schedules,
    launches: launching.launches,
    landing: launching.landing,
    checkpoints: checkpoints.service,
    lanes,
    spawns: spawning.spawns,
    limits,
    models,
    settings: new Settings(home, config, () => limits.changed()),
    files: new Files({ home, used: () => newestFolders(store) }),
    demo: new Demo({
      ...demoAgent,
      create: (body, origin) => sessions.create(body, origin),
      folderOf: (id) => store.sessions.get(id)?.cwd,
    }),
    terminals,
    previews,
    transfer,
  };
  const server = createServer({
    handlers: featureHandlers(services),
    access: agentAccess(spawning.spawns),
    hub,
    running: () => sessions.running(),
    config: config.server,
    token,
    tickets,
    pageCredentials: store.records("page-credential"),
    version,
    pageDir: options.pageDir,
    report: log,
    onShutdown: (agents) => void stop(agents),
  });
  const { port, url } = await listen(server, store, options);
  daemonPort = port;
  // Before anything is answered: nothing has been waited for since it listens.
  spawning.start(url);
  const restored = sessions.restore();
  lanes.tidy();
  jobs.resume();
  checkpoints.recover();
  schedules.start();
  writeDaemonFile(home, { pid: process.pid, port, url, version, startedAt: new Date().toISOString() });
  log(`ready at ${url}, ${restored.adopted} processes adopted, ${restored.resumed} turns under way`);
  const sweeper = setInterval(() => sweep(), SWEEP_MS).unref();
  const sweep = () => {
    const { spoolDays, spoolMb } = config.retention;
    const policy = {
      maxAgeDays: spoolDays,
      maxBytes: spoolMb * 1024 * 1024,
      now: Date.now(),
      keep: sessions.processes(),
    };
    checkpoints.sweep();
    for (const gone of spool.sweep(policy))
      log(`recording ${gone.process} of ${gone.session} removed (${gone.reason})`);
  };
  const ended = Promise.withResolvers<void>();
  let stopping: ReturnType<Daemon["stop"]> | undefined;
  stop = (agents) => {
    stopping ??= (async () => {
      const running = sessions.running();
      clearInterval(sweeper);
      spawning.stop();
      await Promise.all([terminals.stop(), previews.stop(), server.close()]);
      await lanes.stop();
      await launching.stop();
      await Promise.all([jobs.stop(), textHelper.stop(), schedules.stop()]);
      limits.stop();
      models.stop();
      await sessions.stop(agents);
      await checkpoints.stop();
      store.close();
      removeDaemonFile(home);
      unlock();
      log(`stopped, ${running} agents ${agents === "keep" ? "left running" : "released"}`);
      ended.resolve();
      return { agents, running };
    })();
    return stopping;
  };
  return { url, port, pid: process.pid, token, ticket: () => tickets.issue().ticket, stop, stopped: ended.promise };
}

type TerminalParts = {
  store: Store;
  catalogue: Catalogue;
  sessions: Sessions;
  lanes: Lanes;
  surroundings: (view: SessionView) => Record<string, string>;
  env: Record<string, string>;
  id: () => string;
  log: (line: string) => void;
};

function openTerminals(parts: TerminalParts): Terminals {
  const { store, catalogue, sessions, lanes, surroundings, env, id, log } = parts;
  return new Terminals({
    env,
    id,
    now: () => new Date().toISOString(),
    session: (session) => {
      const { cwd } = sessions.get(session);
      const view = store.sessions.get(session)?.view;
      return { cwd, env: { ...store.sessions.env(session), ...(view ? surroundings(view) : {}) } };
    },
    surroundings: (cwd) => lanes.surroundings(lanes.at(cwd)?.id),
    folder: (cwd) => sessionFolder({ cwd }),
    offers: (agent) => catalogue.offers(agent),
    onOffered: (agent) => askAnew(catalogue, agent, log),
    remember: (running) => store.meta.set(LEFT_TERMINALS, JSON.stringify(running)),
  });
}

async function listen(
  server: GantryServer,
  store: Store,
  options: DaemonOptions,
): Promise<{ port: number; url: string }> {
  const host = options.host ?? "127.0.0.1";
  const wanted = options.port || Number(store.meta.get("port") ?? 0);
  const bound = await server.listen(wanted, host).catch((error: unknown) => {
    // Only the port of last time may be given up for another.
    if (options.port) throw error;
    return server.listen(0, host);
  });
  store.meta.set("port", String(bound.port));
  return bound;
}

/** For tests of what a crash leaves behind: the daemon kills itself at the named place of a job, `<kind>:<step>:<moment>`. */
function dieAt(place: string | undefined): ((where: string) => void) | undefined {
  if (!place) return undefined;
  return (where) => {
    if (where === place) process.kill(process.pid, "SIGKILL");
  };
}

/** Probes an agent again whose profile or login has changed. The caller does not wait for the answer. */
function askAnew(catalogue: Catalogue, agent: string, log: (line: string) => void): void {
  // The profile may have been deleted.
  if (!catalogue.lookUp(agent)) return;
  void catalogue.row(agent, true).catch((error) => log(`${agent}: ${error.message}`));
}

function newestFolders(store: Store): string[] {
  return store.sessions.list({ limit: 100, archived: "any" }).sessions.map((session) => session.cwd);
}

/** A removal that was cut off is carried out now. */
async function finishDeletions(store: Store, blobs: Blobs, spool: Spool): Promise<void> {
  for (const session of store.sessions.doomed()) {
    blobs.remove(store.sessions.delete(session).blobs);
    spool.remove(session);
  }
}
