import { type AgentParts, openAgents } from "./assembly/agents.ts";
import { type Base, type DaemonOptions, openBase } from "./assembly/base.ts";
import { type Features, openFeatures } from "./assembly/features.ts";
import { apiHandlers } from "./assembly/handlers.ts";
import { openSessionCore, type SessionCore } from "./assembly/session-core.ts";
import { lockHome, openHome, publishDaemonFile, removeDaemonFile, tightenHome } from "./home.ts";
import { Ledger } from "./process/ledger.ts";
import { Tickets } from "./server/access/tickets.ts";
import { createServer, type GantryServer } from "./server/http.ts";
import { agentAccess } from "./spawns/handlers.ts";
import { endOrphanTerminals } from "./terminals/open-terminals.ts";

export type { DaemonOptions } from "./assembly/base.ts";

export type Daemon = {
  url: string;
  port: number;
  pid: number;
  token: string;
  /** Issues a one-time ticket that opens the page. */
  ticket(): string;
  /** Stops the daemon and keeps or ends the agent processes. Idempotent: every call returns the result of the first. */
  stop(agents: AgentPolicy): Promise<StopResult>;
  /** Resolves when the daemon has stopped, for any reason. */
  stopped: Promise<void>;
};

type AgentPolicy = "keep" | "release";
type StopResult = { agents: AgentPolicy; running: number };

/** Everything that runs until the daemon stops. */
type Parts = { base: Base; agents: AgentParts; core: SessionCore; features: Features };

const SWEEP_MS = 3_600_000;
const JUMP_MS = 600_000;

/** Starts a daemon. Throws `DaemonHeldError`, `ConfigError` or `GantryError`; nothing stays open or locked then. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  openHome(options.home);
  const unlock = lockHome(options.home);
  try {
    // A killed daemon leaves its file behind.
    removeDaemonFile(options.home);
    const base = openBase(options);
    return await runDaemon(base, unlock).catch((error: unknown) => {
      base.store.close();
      throw error;
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

async function runDaemon(base: Base, unlock: () => void): Promise<Daemon> {
  let listening: { port: number; url: string } | undefined;
  const agents = openAgents(base);
  const core = openSessionCore(base, agents);
  const features = openFeatures(base, agents, core, () => listening?.port);
  const parts = { base, agents, core, features };
  await repairAfterCrash(base);
  const tickets = new Tickets();
  const ended = Promise.withResolvers<void>();
  let stopping: Promise<StopResult> | undefined;
  const stop = (policy: AgentPolicy) => {
    stopping ??= (async () => {
      const running = core.sessions.countRunning();
      clearInterval(sweeper);
      await stopParts(parts, server, policy);
      unpublish();
      unlock();
      base.log(`stopped, ${running} agents ${policy === "keep" ? "left running" : "released"}`);
      base.forgetToken();
      ended.resolve();
      return { agents: policy, running };
    })();
    return stopping;
  };
  const server = openServer(parts, tickets, (policy) => void stop(policy));
  listening = await listen(server, base);
  const { port, url } = listening;
  startParts(parts, url);
  const sweeper = setInterval(() => sweep(parts), SWEEP_MS).unref();
  const { version, home } = base.options;
  const file = { pid: process.pid, port, url, version, startedAt: base.now() };
  const unpublish = publishDaemonFile(home, file, base.log);
  void tightenOnce(base);
  const ticket = () => tickets.issue().ticket;
  return { url, port, pid: process.pid, token: base.token, ticket, stop, stopped: ended.promise };
}

/** Completes what a killed daemon left unfinished: deletions, terminals, and the list of live processes. */
async function repairAfterCrash({ store, blobs, spool }: Base): Promise<void> {
  for (const session of store.sessions.listDeleted()) {
    blobs.remove(store.sessions.delete(session).blobs);
    spool.remove(session);
  }
  await endOrphanTerminals(store);
  await new Ledger(store.processes).reconcile((session) => store.sessions.get(session) !== undefined);
}

const TIGHTENED = "modes";

/** A home folder that an earlier version created may have readable files. */
async function tightenOnce({ store, options: { home } }: Base): Promise<void> {
  if (store.meta.get(TIGHTENED)) return;
  store.meta.set(TIGHTENED, "1");
  await tightenHome(home);
}

function openServer(parts: Parts, tickets: Tickets, onShutdown: (agents: AgentPolicy) => void): GantryServer {
  const { base, agents, core, features } = parts;
  const { sessions, checkpoints, spawning } = core;
  const { launching } = features;
  const { options, config, token, store, hub, log } = base;
  return createServer({
    handlers: apiHandlers({
      ...agents,
      ...core,
      ...features,
      service: sessions,
      hub,
      log: store,
      launches: launching.launches,
      landing: launching.landing,
      checkpoints: checkpoints.service,
      spawns: spawning.spawns,
    }),
    access: agentAccess(spawning.spawns),
    hub,
    running: () => sessions.countRunning(),
    config: config.server,
    token,
    tickets,
    pageCredentials: store.records("page-credential"),
    version: options.version,
    pageDir: options.pageDir,
    report: log,
    onShutdown,
    onRevoke: () => {
      features.terminals.revokeTickets();
      features.previews.revokePasses();
    },
  });
}

async function listen(server: GantryServer, { store, options }: Base): Promise<{ port: number; url: string }> {
  const host = options.host ?? "127.0.0.1";
  const preferred = options.port || Number(store.meta.get("port") ?? 0);
  const bound = await server.listen(preferred, host).catch((error: unknown) => {
    // The port of the last run is a preference; a port in the options is a requirement.
    if (options.port) throw error;
    return server.listen(0, host);
  });
  store.meta.set("port", String(bound.port));
  return bound;
}

/**
 * Resumes sessions, jobs and schedules. Runs synchronously after `listen`, so no request is handled before it ends.
 * Agents get the daemon's URL in their environment, so spawning starts first.
 */
function startParts({ base, core, features }: Parts, url: string): void {
  core.spawning.start(url);
  const restored = core.sessions.restore();
  core.lanes.tidy();
  base.jobs.resume();
  core.checkpoints.recover();
  features.schedules.start();
  core.disk.start();
  base.log(`ready at ${url}, ${restored.adopted} processes adopted, ${restored.resumed} turns under way`);
}

/**
 * The stop order. First what accepts work, then what does it, then sessions. Each part is stopped once. The store closes
 * last, because every part may write until it has stopped.
 */
async function stopParts(parts: Parts, server: GantryServer, agents: AgentPolicy): Promise<void> {
  const { base, core, features } = parts;
  core.spawning.stop();
  core.disk.stop();
  await Promise.all([features.terminals.stop(), features.previews.stop(), server.close()]);
  // Set-up commands of lanes and checks of launches are steps of jobs: they end before the jobs wait for their steps.
  await core.lanes.stop();
  await features.launching.stop();
  await Promise.all([base.jobs.stop(), core.textHelper.stop(), features.schedules.stop()]);
  core.limits.stop();
  features.models.stop();
  await core.sessions.stop(agents);
  await core.checkpoints.stop();
  base.store.close();
}

/** The difference between the system's clock and elapsed time. It changes only when the clock is set or the machine sleeps. */
const clockOffset = () => Date.now() - performance.now();
let lastClockOffset = clockOffset();

/** Whether the clock was set since the last call: nothing may expire because of that. */
function hasClockJumped(): boolean {
  const offset = clockOffset();
  const jumped = Math.abs(offset - lastClockOffset) > JUMP_MS;
  lastClockOffset = offset;
  return jumped;
}

/** Applies the retention settings to recordings and checkpoints. */
function sweep({ base, core }: Parts): void {
  if (hasClockJumped()) return base.log("the clock was set: nothing expires before the next check");
  const { spoolDays, spoolMb } = base.config.retention;
  const policy = {
    maxAgeDays: spoolDays,
    maxBytes: spoolMb * 1024 * 1024,
    now: Date.now(),
    keep: core.sessions.processes(),
  };
  core.checkpoints.sweep();
  for (const { process, session, reason } of base.spool.sweep(policy))
    base.log(`recording ${process} of ${session} removed (${reason})`);
}
