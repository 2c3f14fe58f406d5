import type { IdKind, Offer, SessionView, Usage } from "@gantry/protocol";
import { offeredModes } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import type { ProjectCodeTrust } from "../agents/project/find-code.ts";
import type { Config } from "../config.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Store } from "../log/port.ts";
import type { Spool } from "../process/spool.ts";
import type { Publisher, TurnSnapshots } from "./api.ts";
import { loadAttachments } from "./connection/compose-prompt.ts";
import type { PinnedContext, PinnedSource } from "./connection/pinned-context.ts";
import type { Startable } from "./connection/start-process.ts";
import type { EngineContext } from "./engine/state.ts";
import type { ProtectedPlaces } from "./extra-folders/extra-folders.ts";
import { turnMessages } from "./read-log.ts";

/** What all sessions of a daemon share. */
export type ActorDeps = {
  store: Store;
  blobs: Blobs;
  spool: Spool;
  publisher: Publisher;
  config: Config;
  /** The environment of agents: the daemon's without its private part. */
  env: Record<string, string>;
  /** Environment variables for a session's lane and for Gantry itself. */
  surroundings: (view: SessionView) => Record<string, string>;
  pinned?: PinnedSource;
  id: (kind: IdKind) => string;
  now: () => string;
  /** `refresh`: the known state of the agent has just failed, so probe it again. */
  resolve: (view: SessionView, refresh: boolean) => Promise<Startable>;
  agent: (id: string) => Agent | undefined;
  /** What the folder would make the agent run, and the part of it that the user has not trusted. Never throws. */
  projectCode: (agent: Agent, folder: string) => ProjectCodeTrust;
  /** Folders that no session may get as a further folder. */
  protectedPlaces: ProtectedPlaces;
  /** The command that logs an agent in, if there is one. */
  loginOffer: (agent: string) => Offer | undefined;
  snapshots: TurnSnapshots;
  limits: LimitKeeper;
  /** List price of a model's tokens; `undefined` for an unknown model. */
  price: (model: string, usage: Usage) => number | undefined;
  log: (text: string) => void;
  /** A commit found the disk full. */
  onDiskFull: () => void;
  /** Carries out the handoff that a session's view holds. Does not throw. */
  handOff: (session: string) => void;
  /** Called before a process starts and when one becomes idle: releases idle processes above the limit. */
  makeRoom: () => void;
  /** Called before and after each step that a crash may cut off; tests kill the process there. */
  onStep?: (where: string) => void;
};

/** What the engine may ask of the outside in one step. */
export function engineContext(deps: ActorDeps, view: SessionView, pinned: PinnedContext): EngineContext {
  const { config, store } = deps;
  const agent = deps.agent(view.agent);
  const { steer = "queue", provider = view.agent, edits = false, name = view.agent, answeredModes } = agent ?? {};
  const idleSeconds = Math.min(config.idleSeconds, agent?.idleSeconds ?? Infinity);
  const loginOffer = () => deps.loginOffer(view.agent);
  const { limits } = config;
  return {
    id: deps.id,
    now: deps.now,
    agent: {
      id: view.agent,
      name,
      steer,
      provider,
      edits,
      offeredModes: agent && offeredModes(agent),
      answeredModes,
      loginOffer,
    },
    enforcesModes: true,
    queueLimit: config.queueLimit,
    gate: deps.limits.gate(),
    turnMessages: (current) => turnMessages(store, current),
    continueAfterLimit: limits.goOn,
    price: deps.price,
    deadlines: {
      ...config.deadlines,
      idleSeconds: config.processes.idleSeconds[view.agent] ?? idleSeconds,
      ...(limits.enabled ? { limitRetrySeconds: limits.retrySeconds } : {}),
    },
    loadAttachments,
    nextInjection: pinned.nextInjection,
  };
}
