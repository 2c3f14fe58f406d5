import { homedir } from "node:os";
import { join } from "node:path";
import { builtInAgents, demoAgent } from "../agents/registry.ts";
import { CoordinatorService } from "../coordinator/coordinator.ts";
import { allowsModelTitles } from "../defaults/project-defaults.ts";
import { Demo } from "../demo/demo.ts";
import { Files } from "../files/files.ts";
import { everySession } from "../lanes/open-lanes.ts";
import { type LaunchParts, openLaunches } from "../launches/open-launches.ts";
import { Counters } from "../metrics/counters.ts";
import { Models } from "../models/models.ts";
import { Providers } from "../models/providers.ts";
import { Previews } from "../preview/previews.ts";
import { Projects } from "../projects/projects.ts";
import { LazyPush } from "../push/lazy-push.ts";
import { LazyReview } from "../review/lazy-review.ts";
import { openSchedules } from "../schedules/open-schedules.ts";
import type { Schedules } from "../schedules/schedules.ts";
import type { TaskOutputs } from "../tasks/handlers.ts";
import { OutputReader } from "../tasks/task-outputs.ts";
import { openTerminals } from "../terminals/open-terminals.ts";
import type { Terminals } from "../terminals/terminals.ts";
import { TimeTravel } from "../time-travel/time-travel.ts";
import { Titles } from "../titles/titles.ts";
import { Transfer } from "../transfer/transfer.ts";
import { openTrust } from "../trust/open-trust.ts";
import type { Trust } from "../trust/trust.ts";
import type { AgentParts } from "./agents.ts";
import type { Base } from "./base.ts";
import type { SessionCore } from "./session-core.ts";

/** Services on top of sessions. None of them is needed to run a turn. */
export type Features = {
  schedules: Schedules;
  launching: LaunchParts;
  terminals: Terminals;
  transfer: Transfer;
  previews: Previews;
  taskOutputs: TaskOutputs;
  models: Models;
  providers: Providers;
  projects: Projects;
  files: Files;
  demo: Demo;
  trust: Trust;
  review: LazyReview;
  timeTravel: TimeTravel;
  coordinator: CoordinatorService;
  counters: Counters;
  push: LazyPush;
};

/** The most of a turn's patch that an exported file includes. */
const PATCH_BYTES = 5_000_000;

/** Opens the features and subscribes those that observe sessions. `port` returns the daemon's port once it listens. */
export function openFeatures(
  base: Base,
  agents: AgentParts,
  core: SessionCore,
  port: () => number | undefined,
): Features {
  const { config, store, jobs, log, id, onStep } = base;
  const { home, env } = base.options;
  const { sessions, lanes, observers } = core;
  const titles = new Titles({
    ...{ config, store, textHelper: core.textHelper },
    isAllowedIn: allowsModelTitles,
    describe: (session, texts) => sessions.describe(session, texts),
    log,
  });
  const launching = openLaunches({ store, jobs, lanes, sessions, home, env: agents.env, id, log, trust: base.trust });
  const schedules = openSchedules({
    ...{ store, sessions, config, home, log, onStep, agent: agents.find },
    id: () => id("schedule"),
  });
  const transfer = openTransfer(base, agents, core);
  const findProjectCode = base.options.findProjectCode ?? (async () => []);
  const trust = openTrust({ ...{ store, sessions, log, lanes, env }, trust: base.trust, findProjectCode });
  const review = openReview(base, agents, core, launching);
  const coordinator = openCoordinator(base, core);
  const counters = new Counters();
  const push = openPush(base, core);
  observers.push(counters, titles, launching, schedules, transfer, trust.notices, review, coordinator, push);
  const models = new Models({ home, env });
  const projects = openProjects(base, core);
  return {
    ...{ schedules, launching, transfer, review, coordinator, counters, push },
    ...{ trust: trust.service, timeTravel: new TimeTravel({ store, checkpoints: core.checkpoints }) },
    ...openPanelParts(base, agents, core, port),
    models,
    providers: new Providers({ home, env, onChange: () => models.stop() }),
    projects,
    files: openFiles(base, projects),
    demo: new Demo({
      ...demoAgent,
      create: (body, origin) => sessions.create(body, origin),
      folderOf: (session) => store.sessions.get(session)?.cwd,
    }),
  };
}

/** Recent folders are those of projects: neither lanes nor Gantry's own folders. */
function openFiles({ store, options: { home } }: Base, projects: Projects): Files {
  return new Files({
    home,
    used: () => {
      const { sessions: newest } = store.sessions.list({ limit: 100, archived: "any" });
      return projects.recentFolders(newest.filter(({ view }) => !view.identity).map(({ cwd }) => cwd));
    },
  });
}

function openProjects({ store, config, trust, options: { home } }: Base, { defaults }: SessionCore): Projects {
  return new Projects({
    ...{ home, trust, defaults },
    records: store.records("project"),
    sessions: () => everySession(store),
    lanesFolder: config.lanes.folder ?? join(home, "lanes"),
  });
}

/** Terminals, the output of tasks, and previews, which find servers in both. */
function openPanelParts(
  { store, id, now, log, options: { pageDir } }: Base,
  agents: AgentParts,
  { sessions, lanes, spawning, processEnv }: SessionCore,
  port: () => number | undefined,
): Pick<Features, "terminals" | "taskOutputs" | "previews"> {
  const terminals = openTerminals({
    ...{ store, sessions, lanes, now },
    catalogue: agents.catalogue,
    surroundings: (view) => spawning.surroundings(view, "terminal"),
    env: processEnv,
    id: () => id("terminal"),
    probeAgain: agents.probeAgain,
  });
  const taskOutputs = new OutputReader({
    tasks: (session) => sessions.tasks(session),
    item: (session, item) => sessions.item(session, item),
    processes: store.processes,
  });
  const previews = new Previews({
    ...{ now, log },
    id: () => id("preview"),
    requireSession: (session) => sessions.get(session),
    daemonPort: port,
    inspectorDir: pageDir && join(pageDir, "inspector"),
    findServers: async (session, ownPorts) => {
      const { findDevServers } = await import("../preview/servers/dev-servers.ts");
      const outputOf = (...of: Parameters<typeof taskOutputs.read>) => taskOutputs.read(...of).text;
      return findDevServers({ store, terminals, outputOf }, session, ownPorts);
    },
  });
  return { terminals, taskOutputs, previews };
}

function openReview(base: Base, agents: AgentParts, core: SessionCore, { landing }: LaunchParts): LazyReview {
  const { store, id, log } = base;
  const { lanes, checkpoints, sessions } = core;
  return new LazyReview({
    ...{ git: lanes.git, store, lanes, checkpoints, landing, id, log },
    home: base.options.home,
    env: agents.env,
    publish: (session, events) => sessions.record(session, events),
  });
}

function openPush({ store, config, id, now, log, options }: Base, { sessions, settings }: SessionCore): LazyPush {
  return new LazyPush({
    ...{ store, config, sessions, now, log },
    home: options.home,
    id: () => id("subscription"),
    saveEnabled: (enabled) => void settings.change({ "push.enabled": enabled }),
    request: options.pushRequest,
  });
}

function openCoordinator({ options: { version }, log }: Base, { spawning }: SessionCore): CoordinatorService {
  return new CoordinatorService({ version, url: () => spawning.address(), log });
}

function openTransfer(base: Base, agents: AgentParts, { sessions, checkpoints }: SessionCore): Transfer {
  const { config, store, blobs, jobs, hub, token, id, now } = base;
  const { home, env, version } = base.options;
  return new Transfer({
    ...{ store, blobs, jobs, sessions, env, home, version, id, now },
    announcer: hub,
    agents: builtInAgents,
    agent: agents.find,
    userHome: env.HOME || homedir(),
    secrets: [token],
    briefChars: config.handoff.briefChars,
    patchOf: async (session, turn) => (await checkpoints.service.diff(session, turn, { bytes: PATCH_BYTES })).patch,
  });
}
