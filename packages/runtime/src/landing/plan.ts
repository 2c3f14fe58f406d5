import { rmSync } from "node:fs";
import { join } from "node:path";
import { GantryError, type Lane } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import { commitOf, isAncestor } from "../lanes/git/commits.ts";
import { treeDiff } from "../lanes/git/diff.ts";
import type { Git } from "../lanes/git/git.ts";
import { deleteRef, setRef } from "../lanes/git/refs.ts";
import { Semaphore } from "../lanes/git/semaphore.ts";
import type { LaneService } from "../lanes/port.ts";
import type { ConflictCheck } from "./conflicts/conflict-check.ts";
import { tryMerge } from "./conflicts/trial-merge.ts";
import { aimRef, LANDING, type LandingData, landingMessage, undoRef } from "./landing-data.ts";
import { advance, tip } from "./merge/advance.ts";
import { commitAll, isDirty, uncommit } from "./merge/commit.ts";
import { prepare } from "./merge/prepare.ts";
import { conflictError, requireIdentity } from "./merge/refusal.ts";
import { dropScratch } from "./merge/scratch.ts";
import { allChanges, dirtyError, requireClean, requireNoOperation, treeOf } from "./merge/tree.ts";
import { checkWithheld } from "./merge/withheld.ts";
import { notifyOtherLanes } from "./notify-lanes.ts";
import type { LandingSessions } from "./port.ts";
import { openRequest } from "./pull-request.ts";

export type LandingDeps = {
  git: Git;
  lanes: Pick<LaneService, "list" | "get" | "remove">;
  conflictCheck: ConflictCheck;
  sessions: LandingSessions;
  /** Holds the scratch trees. */
  folder: string;
  /** For `gh`. */
  env: Record<string, string>;
  log: (line: string) => void;
};

/** How often the base may move during a landing before the landing fails. */
const ATTEMPTS = 5;

type Found = Promise<Partial<LandingData> | undefined>;

/** Runs one at a time per repository: a landing that moves the work tree must not look like changes to another one. */
type InTurn = <T>(repository: string, work: () => Promise<T>) => Promise<T>;

type StepDeps = LandingDeps & { inTurn: InTurn };

/**
 * The steps of a landing. Until `advance` nothing changes but a commit in the lane, which is undone if the landing
 * fails. From then on the lane has landed, and later failures become notices.
 */
export function landingPlan(deps: LandingDeps): Plan<LandingData> {
  const turns = new Map<string, Semaphore>();
  const inTurn: InTurn = (repository, work) => {
    const turn = turns.get(repository) ?? new Semaphore(1);
    turns.set(repository, turn);
    return turn.run(work);
  };
  const step = (name: string, run: (deps: StepDeps, data: LandingData) => Found) => ({
    name,
    run: (data: LandingData) => run({ ...deps, inTurn }, data),
  });
  return {
    kind: LANDING,
    steps: [
      step("check", check),
      step("commit", commit),
      step("prepare", prepareLanding),
      step("advance", advanceBase),
      step("push", push),
      step("tell", notify), // prose-ignore: name of a step in stored jobs
      step("remove", remove),
    ],
    undo: (data) => rollBack(deps, data),
  };
}

async function check(deps: StepDeps, data: LandingData): Found {
  const { git, conflictCheck, sessions, lanes } = deps;
  const { repository, path, into, name } = data;
  const lane = await lanes.get(data.lane);
  requireNoTurn(lane, sessions);
  await requireNoOperation(git, path, `Lane ${name}`);
  const before = await commitOf(git, path, "HEAD");
  if (!before) throw new GantryError("unsupported", `${name} has no commit yet.`);
  if (!data.commit && (await isDirty(git, path))) throw dirtyError("lane_dirty", name, await allChanges(git, path));
  await requireIdentity(git, path);
  const withheld = await checkWithheld(git, repository, [path, repository]);
  const notices = [...(data.notices ?? []), ...withheld];
  if (data.how === "pr") return { before, notices };
  const target = await tip(git, repository, into);
  if (!target)
    throw new GantryError("invalid", `There is no branch ${into}.`, { remedy: "Choose another with `into`." });
  const tree = await treeOf(git, repository, into);
  if (tree) await deps.inTurn(repository, () => requireClean(git, tree, into));
  // Includes uncommitted changes, so that a conflict is found before anything is committed.
  const state = await conflictCheck.stateOf(lane);
  if (await isAncestor(git, repository, state.tip, target)) throw nothingToLand(data);
  const trial = await tryMerge(git, repository, target, state.tip);
  if (trial.state === "conflict") throw conflictError(name, into, trial.files);
  return { before, notices };
}

async function commit({ git, folder }: LandingDeps, data: LandingData): Found {
  const { path, before, title } = data;
  const index = join(folder, data.id, "index");
  await commitAll(git, { tree: path, message: data.how === "squash" ? title : (data.message ?? title), index });
  const source = await commitOf(git, path, "HEAD");
  return { source, ...(source === before ? {} : { committed: source }) };
}

async function prepareLanding({ git, folder }: LandingDeps, data: LandingData): Found {
  if (data.how === "pr") return undefined;
  const { repository, into, name, source = "", id } = data;
  const from = (await tip(git, repository, into)) ?? "";
  const to = await prepare(git, {
    how: data.how,
    repository,
    folder: join(folder, id),
    names: { source: name, target: into },
    target: from,
    source,
    message: landingMessage(data),
  });
  if (to === from) throw nothingToLand(data);
  // No other ref points at it until the base does.
  await setRef(git, repository, aimRef(id), to);
  return { from, to };
}

async function advanceBase(deps: StepDeps, data: LandingData): Found {
  const { git } = deps;
  const { how, repository, into, id, name } = data;
  if (how === "pr") return undefined;
  let { from = "", to = "" } = data;
  // An attempt that a crash interrupted may have had another target, because the base had moved before it.
  const aimed = await commitOf(git, repository, aimRef(id));
  if (aimed && aimed !== to && (await tip(git, repository, into)) === aimed) {
    to = aimed;
    from = (await commitOf(git, repository, undoRef(id))) ?? from;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await setRef(git, repository, undoRef(id), from);
    const why = `gantry: land ${name}`;
    const move = { repository, branch: into, from, to, why };
    if ((await deps.inTurn(repository, () => advance(git, move))) === "done") {
      const { files } = await treeDiff(git, repository, { from, to, most: 1 });
      await deleteRef(git, repository, aimRef(id));
      return { from, to, files };
    }
    const again = await prepareLanding(deps, data);
    from = again?.from ?? from;
    to = again?.to ?? to;
  }
  throw new GantryError("conflict", `${into} changed ${ATTEMPTS} times during the landing. Nothing was merged.`, {
    remedy: "Try again.",
  });
}

async function push({ git, env }: LandingDeps, data: LandingData): Found {
  const { how, path, branch, into, title, message } = data;
  if (how !== "pr" || !branch) return undefined;
  const [first = title, ...rest] = (message ?? title).split("\n");
  const request = { path, branch, into, title: first, body: rest.join("\n").trim() };
  const { pr, notice } = await openRequest(git, env, request);
  return { pr, ...(notice ? { notices: [...(data.notices ?? []), notice] } : {}) };
}

async function notify({ lanes, conflictCheck, sessions, log }: LandingDeps, data: LandingData): Found {
  const { id, from, to, files = [], into, name, lane, by } = data;
  if (!from || !to) return undefined;
  const moved = { ...data, key: id, from, to, files };
  const notified = await notifyOtherLanes({ lanes, conflictCheck, sessions, log }, moved).catch((error) => {
    log(`${id}: ${error.message}`);
    return [];
  });
  const own = await lanes.get(lane).catch(() => undefined);
  const actor = by ? ` by its lead ${by.replace("session:", "")}` : "";
  const text = `The lane ${name} was landed${actor} on ${into}, which is now at ${to.slice(0, 8)}.`;
  for (const session of own?.sessions ?? []) {
    try {
      sessions.notice(session, { kind: "landed", severity: "info", text }, `${id}:${session}`);
    } catch (error) {
      log(`${session}: ${(error as Error).message}`);
    }
  }
  return { told: notified }; // prose-ignore: stored field
}

async function remove({ lanes, folder }: LandingDeps, data: LandingData): Found {
  rmSync(join(folder, data.id), { recursive: true, force: true });
  if (!data.remove) return undefined;
  try {
    await lanes.remove(data.lane, { force: false });
    return { removed: true };
  } catch (error) {
    if ((error as GantryError).code === "no_such_lane") return { removed: true };
    return { notices: [...(data.notices ?? []), `The lane was not removed: ${(error as Error).message}`] };
  }
}

/** Undoes a failed landing. A completed one is undone by `undo` of the service. */
async function rollBack({ git, folder }: LandingDeps, data: LandingData): Found {
  const { repository, path, id, before, committed } = data;
  await dropScratch(git, repository, join(folder, id, "tree"));
  await deleteRef(git, repository, aimRef(id));
  await deleteRef(git, repository, undoRef(id));
  const head = await commitOf(git, path, "HEAD");
  // A crash may have happened between the commit and its record.
  const made = committed ?? (before && head !== before && (await isChildOf(git, path, before)) ? head : undefined);
  if (before && made) await uncommit(git, { tree: path, before, commit: made, index: join(folder, id, "index") });
  rmSync(join(folder, id), { recursive: true, force: true });
  return { committed: undefined, from: undefined, to: undefined };
}

async function isChildOf(git: Git, path: string, before: string): Promise<boolean> {
  return (await commitOf(git, path, "HEAD^")) === before;
}

/** Throws `turn_running` while a turn runs in the lane. */
export function requireNoTurn(lane: Lane, sessions: LandingSessions): void {
  const busy = lane.sessions.find((session) => ["running", "waiting"].includes(stateOf(sessions, session)));
  if (!busy) return;
  throw new GantryError("turn_running", `A turn is running in ${lane.name} (${busy}). Nothing was changed.`, {
    remedy: "Wait until the turn ends, or interrupt it.",
  });
}

function stateOf(sessions: LandingSessions, id: string): string {
  try {
    return sessions.get(id).state;
  } catch {
    return "ended";
  }
}

function nothingToLand({ name, into }: LandingData): GantryError {
  return new GantryError("conflict", `${into} already contains all work of ${name}.`, {
    remedy: "There is nothing to land.",
  });
}
