import { rmSync } from "node:fs";
import { join } from "node:path";
import { GantryError } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import { commitOf, isAncestor } from "../lanes/git/commits.ts";
import { setRef } from "../lanes/git/refs.ts";
import { snapshot } from "../lanes/git/snapshot.ts";
import { isDirty } from "./merge/commit.ts";
import { prepare } from "./merge/prepare.ts";
import { anyCode, printedText, requireIdentity } from "./merge/refusal.ts";
import { dropScratch } from "./merge/scratch.ts";
import { allChanges, changedFiles, dirtyError, isHalfway, requireNoOperation } from "./merge/tree.ts";
import { checkWithheld } from "./merge/withheld.ts";
import { type LandingDeps, requireNoTurn } from "./plan.ts";

export const UPDATE = "lane-update";

export type UpdateData = {
  id: string;
  lane: string;
  name: string;
  repository: string;
  path: string;
  /** The branch or commit that the lane is based on. */
  base: string;
  how: "rebase" | "merge";
  dirty: boolean;
  request: string;
  /** Commits of the lane that have landed, possibly as other commits. */
  landed: string[];
  from?: string;
  to?: string;
};

const COMMIT_OR_KEEP = "Commit them, or keep them uncommitted with `dirty` (--dirty on the command line).";

export const updateRef = (id: string) => `refs/gantry/undo/update/${id}`;

/** Updates a lane from its base. The last step moves the lane, atomically. */
export function updatePlan(deps: LandingDeps): Plan<UpdateData> {
  return {
    kind: UPDATE,
    steps: [
      { name: "check", run: (data) => check(deps, data) },
      { name: "prepare", run: (data) => prepareUpdate(deps, data) },
      { name: "move", run: (data) => move(deps, data) },
    ],
    undo: async ({ id, repository }) => {
      await dropScratch(deps.git, repository, join(deps.folder, id, "tree"));
      rmSync(join(deps.folder, id), { recursive: true, force: true });
      return undefined;
    },
  };
}

async function check({ git, lanes, sessions }: LandingDeps, data: UpdateData): Promise<Partial<UpdateData>> {
  const { path, name, id, repository } = data;
  requireNoTurn(await lanes.get(data.lane), sessions);
  await requireNoOperation(git, path, `Lane ${name}`);
  const from = await commitOf(git, path, "HEAD");
  if (!from) throw new GantryError("unsupported", `${name} has no commit yet.`);
  await requireIdentity(git, path);
  await checkWithheld(git, repository, [path]);
  if (!(await isDirty(git, path))) return { from };
  if (!data.dirty) throw dirtyError("lane_dirty", name, await allChanges(git, path), COMMIT_OR_KEEP);
  const { commit } = await snapshot(git, path, `before the update of ${name}`);
  await setRef(git, repository, `${updateRef(id)}-files`, commit);
  return { from };
}

async function prepareUpdate({ git, folder }: LandingDeps, data: UpdateData): Promise<Partial<UpdateData>> {
  const { repository, from = "", how, id, name, base } = data;
  const target = await commitOf(git, repository, base);
  if (!target) throw new GantryError("invalid", `The base ${base} of ${name} no longer exists.`);
  if (await isAncestor(git, repository, target, from)) return { to: from };
  // The base already contains the lane's work: as another commit that landed, or as an ancestor.
  if (data.landed.includes(from) || (await isAncestor(git, repository, from, target))) return { to: target };
  const sides = how === "rebase" ? { target, source: from } : { target: from, source: target };
  const names = how === "rebase" ? { source: name, target: base } : { source: base, target: name };
  const message = `Merge ${base} into ${name}`;
  const to = await prepare(git, { how, repository, folder: join(folder, id), names, ...sides, message });
  await setRef(git, repository, `${updateRef(id)}-aim`, to);
  return { to };
}

async function move({ git, folder, sessions, lanes, log }: LandingDeps, data: UpdateData): Promise<undefined> {
  const { path, repository, id, name, base, from = "", to = "" } = data;
  rmSync(join(folder, id), { recursive: true, force: true });
  if (from === to) return undefined;
  await setRef(git, repository, updateRef(id), from);
  const now = await commitOf(git, path, "HEAD");
  if (now !== to) {
    if (now !== from) throw new GantryError("conflict", `${name} changed during the update.`, { remedy: "Try again." });
    const halfway = (await changedFiles(git, path)).length > 0 && (await isHalfway(git, path, from, to));
    const answer = await git.write(path, ["reset", halfway ? "--hard" : "--keep", to], {
      answers: anyCode,
      asUser: true,
    });
    if (answer.code !== 0) throw blockedUpdateError(name, printedText(answer), await changedFiles(git, path));
  }
  const text = `The lane ${name} was updated. It is now based on ${base}, at ${to.slice(0, 8)}.`;
  for (const session of (await lanes.get(data.lane)).sessions) {
    try {
      sessions.notice(session, { kind: "lane_updated", severity: "info", text }, `${id}:${session}`);
    } catch (error) {
      log(`${session}: ${(error as Error).message}`);
    }
  }
  return undefined;
}

function blockedUpdateError(name: string, output: string, files: string[]): GantryError {
  const message = `Uncommitted changes of ${name} block the update. Nothing was changed.\n${output}`;
  return new GantryError("lane_dirty", message, { remedy: "Commit them, then try again.", details: { files, output } });
}
