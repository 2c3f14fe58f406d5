import { publishDaemonFile, tightenHome } from "../home.ts";
import type { Base, OpenHome } from "./base.ts";
import type { AgentPolicy, Parts } from "./open-app.ts";
import { ownMemory, trimMemoryWhenQuiet } from "./trim-memory.ts";

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

type StopResult = { agents: AgentPolicy; running: number; tasks: number };

const SWEEP_MS = 3_600_000;
const JUMP_MS = 600_000;

/**
 * Loads and opens the daemon's parts, resumes what ran before, and attaches the application to the server. Throws
 * `GantryError`; the caller closes what is in `open` then.
 */
export async function runDaemon(open: OpenHome): Promise<Daemon> {
  const { listening, server, unlock } = open;
  const { port, url } = listening;
  const parts = await openParts(open);
  const { base, core } = parts;
  // The next daemon prefers this port. The first write waits for the disk, so it comes after the first health check.
  base.store.meta.set("port", String(port));
  await repairAfterCrash(base);
  const ended = Promise.withResolvers<void>();
  let stopping: Promise<StopResult> | undefined;
  const stop = (policy: AgentPolicy) => {
    stopping ??= (async () => {
      const running = core.sessions.countRunning();
      const tasks = core.sessions.countTasks();
      clearInterval(sweeper);
      stopTrimming();
      await stopParts(parts, policy);
      unpublish();
      unlock();
      base.log(`stopped, ${running} agents ${policy === "keep" ? "left running" : "released"}`);
      base.forgetToken();
      ended.resolve();
      return { agents: policy, running, tasks };
    })();
    return stopping;
  };
  const { openApp } = await import("./open-app.ts");
  const { app, tickets } = openApp(parts, (policy) => void stop(policy));
  startParts(parts, url);
  server.attach(app);
  const stopTrimming = trimMemoryWhenQuiet(ownMemory(() => releaseCaches(base)));
  const sweeper = setInterval(() => sweep(parts), SWEEP_MS).unref();
  const { version, home } = base.options;
  const file = { pid: process.pid, port, url, version, startedAt: base.now() };
  const unpublish = publishDaemonFile(home, file, base.log);
  void tightenOnce(base);
  const ticket = () => tickets.issue().ticket;
  return { url, port, pid: process.pid, token: base.token, ticket, stop, stopped: ended.promise };
}

/** Each group of parts is loaded separately, so that health checks are answered meanwhile. */
async function openParts(open: OpenHome): Promise<Parts> {
  const { server } = open;
  // A client that polls for the start connects now; loading first would keep it waiting.
  await server.settle(true);
  const { openBase } = await import("./base.ts");
  const base = openBase(open);
  await server.settle();
  const { openAgents } = await import("./agents.ts");
  const agents = openAgents(base);
  await server.settle();
  const { openSessionCore } = await import("./session-core.ts");
  const core = openSessionCore(base, agents);
  await server.settle();
  const { openFeatures } = await import("./features.ts");
  const features = openFeatures(base, agents, core, () => open.listening.port);
  await server.settle();
  return { base, agents, core, features };
}

/** Completes what a killed daemon left unfinished: deletions, terminals, and the list of live processes. */
async function repairAfterCrash({ store, blobs, spool }: Base): Promise<void> {
  for (const session of store.sessions.listDeleted()) {
    blobs.remove(store.sessions.delete(session).blobs);
    spool.remove(session);
  }
  const { endOrphanTerminals } = await import("../terminals/open-terminals.ts");
  await endOrphanTerminals(store);
  const { Ledger } = await import("../process/ledger.ts");
  await new Ledger(store.processes).reconcile((session) => store.sessions.get(session) !== undefined);
}

function releaseCaches({ hub, store }: Base): void {
  hub.releaseMemory();
  store.releaseMemory();
}

const TIGHTENED = "modes";

/** A home folder that an earlier version created may have readable files. */
async function tightenOnce({ store, options: { home } }: Base): Promise<void> {
  if (store.meta.get(TIGHTENED)) return;
  store.meta.set(TIGHTENED, "1");
  await tightenHome(home);
}

/**
 * Resumes sessions, jobs and schedules. Runs synchronously before `attach`, so no request is handled before it ends.
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
async function stopParts(parts: Parts, agents: AgentPolicy): Promise<void> {
  const { base, core, features } = parts;
  core.spawning.stop();
  core.disk.stop();
  await Promise.all([features.coordinator.stop(), features.push.stop()]);
  await Promise.all([features.terminals.stop(), features.previews.stop(), base.server.close()]);
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
