import { openCheckpoints } from "../checkpoints/open-checkpoints.ts";
import { allowsModelTitles } from "../defaults/project-defaults.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { openLanes } from "../lanes/open-lanes.ts";
import type { Limits } from "../limits/limits.ts";
import type { Sessions } from "../session/service.ts";
import { openTextHelper } from "../text-helper/open-text-helper.ts";
import type { QueuedTextHelper } from "../text-helper/queued-text-helper.ts";
import type { AgentParts } from "./agents.ts";
import type { Base } from "./base.ts";

/** The folders that sessions work in. */
export type Workspaces = {
  textHelper: QueuedTextHelper;
  lanes: Lanes;
  checkpoints: ReturnType<typeof openCheckpoints>;
};

/** Services that exist only after the workspaces are open. Calling one during assembly throws. */
export type LaterServices = { sessions: () => Sessions; limits: () => Limits };

export function openWorkspaces(base: Base, agents: AgentParts, { sessions, limits }: LaterServices): Workspaces {
  const { config, store, jobs, log, id, onStep } = base;
  const { home, env: daemonEnv } = base.options;
  const { catalogue, env } = agents;
  const textHelper = openTextHelper({
    ...{ config, catalogue, store, home, daemonEnv, limits, env, log },
    id: () => id("process"),
  });
  const lanes = openLanes({
    ...{ store, jobs, config, home, env, id, textHelper, sessions },
    isAllowedIn: allowsModelTitles,
    trust: base.trust,
  });
  const checkpoints = openCheckpoints({
    git: lanes.git,
    store,
    jobs,
    home,
    config,
    id,
    publish: (session, events, records) => sessions().record(session, events, records),
    sessions: {
      forkPoint: (session, at) => sessions().forkPoint(session, at),
      fork: (session, body, place) => sessions().fork(session, body, place),
    },
    lanes,
    log,
    onStep,
  });
  return { textHelper, lanes, checkpoints };
}
