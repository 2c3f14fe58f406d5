import type { Changes, DiscardChanges, FilePatch, Reverted, RouteQuery } from "@gantry/protocol";
import { type Checkpoints, requirePathInside } from "../checkpoints/checkpoints.ts";
import type { TurnCheckpoints } from "../checkpoints/turn-checkpoints.ts";
import { changesBetween, describeChanges, patchBetween, sumChanges } from "../checkpoints/work-tree/diff.ts";
import { leftOutOf } from "../checkpoints/work-tree/snapshot.ts";
import type { WorkTree } from "../checkpoints/work-tree/work-tree.ts";
import { withoutHunks } from "./discard-hunks.ts";
import type { Moments } from "./moments.ts";

const LISTED = 5000;
const PATCH_BYTES = 4_000_000;

export type ChangeDeps = { moments: Moments; checkpoints: Checkpoints; turnCheckpoints: TurnCheckpoints };

/** The files that a session changed. The list is one comparison of two trees; patches are made per file. */
export async function listChanges(
  { moments, turnCheckpoints }: ChangeDeps,
  session: string,
  { from = "base", to = "now" }: RouteQuery<"listChanges">,
): Promise<Changes> {
  const view = moments.view(session);
  const tree = await moments.tree(view);
  const [start, end] = await Promise.all([
    moments.start(view, tree, from),
    to === "now" ? tree.snapshot() : moments.end(view, tree, to),
  ]);
  const commit = typeof end === "string" ? end : end.commit;
  const [changes, left] = await Promise.all([
    changesBetween(tree.shadow, start.commit, commit),
    typeof end === "string" ? leftOutOf(tree.shadow, end) : end.left,
  ]);
  return {
    files: describeChanges(changes, tree.place.root, view.cwd, LISTED),
    base: start.commit,
    ...(start.name ? { baseName: start.name } : {}),
    to: commit,
    total: sumChanges(changes),
    cut: changes.length > LISTED,
    live: turnCheckpoints.listRunningSessions(tree.place.root).length > 0,
    left,
  };
}

export async function readPatch(
  { moments }: ChangeDeps,
  session: string,
  query: RouteQuery<"changedFile">,
): Promise<FilePatch> {
  const { path, moved, from = "base", to = "now", context, bytes: most = PATCH_BYTES } = query;
  const view = moments.view(session);
  const tree = await moments.tree(view);
  const only = [path, ...(moved ? [moved] : [])].map((one) => requirePathInside(tree.place.root, view.cwd, one));
  const [start, end] = await Promise.all([moments.start(view, tree, from), endOf(moments, view, tree, to)]);
  const { patch, cut } = await patchBetween(tree.shadow, start.commit, end, { context, most, only });
  return { path: moved ?? path, patch: cut ? "" : patch, cut };
}

/** Restores files through a revert, so that the files of before can be had again. */
export async function discardChanges(
  { moments, checkpoints }: ChangeDeps,
  session: string,
  { from = "base", paths, hunks, seen, dry = false }: DiscardChanges,
): Promise<Reverted> {
  const view = moments.view(session);
  const tree = await moments.tree(view);
  const only = paths.map((path) => requirePathInside(tree.place.root, view.cwd, path));
  const { commit: start } = await moments.start(view, tree, from);
  const current = seen === undefined ? (await tree.snapshot()).commit : await moments.end(view, tree, seen);
  const [path] = only;
  const target = hunks && path !== undefined ? await withoutHunks(tree, { start, current, path, hunks }) : start;
  return checkpoints.restore(session, { from: current, to: target, only }, { dry });
}

async function endOf(moments: Moments, view: ReturnType<Moments["view"]>, tree: WorkTree, to: string): Promise<string> {
  return to === "now" ? (await tree.snapshot()).commit : moments.end(view, tree, to);
}
