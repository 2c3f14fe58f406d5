import type { MetricSources } from "../metrics/collect.ts";
import { Tickets } from "../server/access/tickets.ts";
import { App } from "../server/app.ts";
import { agentAccess } from "../spawns/handlers.ts";
import type { AgentParts } from "./agents.ts";
import type { Base } from "./base.ts";
import type { Features } from "./features.ts";
import { apiHandlers } from "./handlers.ts";
import type { SessionCore } from "./session-core.ts";

/** Everything that runs until the daemon stops. */
export type Parts = { base: Base; agents: AgentParts; core: SessionCore; features: Features };

/** What happens to running agents when the daemon stops. */
export type AgentPolicy = "keep" | "release";

/** The application that answers the requests of a running daemon. */
export function openApp(parts: Parts, onShutdown: (agents: AgentPolicy) => void): { app: App; tickets: Tickets } {
  const { base, agents, core, features } = parts;
  const { sessions, checkpoints, spawning } = core;
  const { launching } = features;
  const { options, config, token, store, hub, log, server } = base;
  const tickets = new Tickets();
  const app = new App({
    handlers: apiHandlers({
      ...agents,
      ...core,
      ...features,
      service: sessions,
      hub,
      log: store,
      savedPrompts: store.records("saved-prompt"),
      launches: launching.launches,
      landing: launching.landing,
      checkpoints: checkpoints.service,
      spawns: spawning.spawns,
      metrics: metricSources(parts),
    }),
    access: agentAccess(spawning.spawns),
    hub,
    running: () => sessions.countRunning(),
    tasks: () => sessions.countTasks(),
    config: config.server,
    token,
    tickets,
    pageCredentials: store.records("page-credential"),
    version: options.version,
    startedAt: server.startedAt,
    pageDir: options.pageDir,
    report: log,
    onShutdown,
    onRevoke: () => {
      features.terminals.revokeTickets();
      features.previews.revokePasses();
      void features.push.revokeAll();
    },
  });
  return { app, tickets };
}

function metricSources({ base, core, features }: Parts): MetricSources {
  const { store, hub, options } = base;
  const { sessions } = core;
  return {
    version: options.version,
    home: options.home,
    counters: features.counters,
    countSessions: (state) => store.sessions.count({ state }),
    pendingInputs: () => store.pendingInputs().length,
    processList: () => sessions.processList(),
    tasks: () => sessions.countTasks(),
    subscribers: () => hub.readers,
    usage: () => store.usage(["agent", "model"]).rows,
  };
}
