import { type Draft, draft, type RevertedFile } from "@gantry/protocol";
import type { Plan } from "../../jobs/job.ts";
import type { RecordChange, Store } from "../../log/port.ts";
import { REVERTS } from "../retention.ts";
import { changesBetween, describeChanges, sumChanges } from "../work-tree/diff.ts";
import type { RawPath } from "../work-tree/paths.ts";
import { refOf, storeRef } from "../work-tree/refs.ts";
import { entriesAt, restore } from "../work-tree/restore.ts";
import type { WorkTree } from "../work-tree/work-tree.ts";
import type { WorkTrees } from "../work-trees.ts";

/** The data of a revert: sets files to their state in the commit `target`. */
export type RevertData = {
  job: string;
  session: string;
  cwd: string;
  turn?: string;
  to: "before" | "after";
  /** A person discarded changes, instead of reverting a turn. */
  discards?: true;
  target: string;
  paths: RawPath[];
  files: RevertedFile[];
  /** The work tree before the first and after the last write. */
  undo?: string;
  after?: string;
};

/** How to undo a revert: from `after` to `before`. */
export type RevertRecord = {
  id: string;
  session: string;
  turn?: string;
  to: "before" | "after";
  before: string;
  after: string;
};

export const REVERT = "revert";

export type RevertParts = {
  store: Store;
  places: WorkTrees;
  publish: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
};

/**
 * Stores a checkpoint, writes the files and publishes the result. The caller holds the work tree's lock until the job
 * ends. A failure restores the files.
 */
export function revertPlan({ store, places, publish }: RevertParts): Plan<RevertData> {
  return {
    kind: REVERT,
    steps: [
      {
        name: "keep",
        run: async (data) => {
          const tree = await treeOf(places, data);
          const { commit } = await tree.now();
          await storeRef(tree.repository, refOf(data.session, data.job, "before"), commit);
          return { undo: commit };
        },
      },
      {
        name: "write",
        run: async (data) => {
          const tree = await treeOf(places, data);
          await restoreTo(tree, data.target, data.paths);
          return undefined;
        },
      },
      {
        name: "tell", // prose-ignore: name of a step in stored jobs
        run: async (data) => {
          const tree = await treeOf(places, data);
          const { commit } = await tree.now();
          await storeRef(tree.repository, refOf(data.session, data.job, "after"), commit);
          const published = store.records<RevertRecord>(REVERTS).get(data.job);
          if (!published)
            publish(data.session, await events(tree, data, commit), [
              { kind: REVERTS, id: data.job, value: record(data, commit) },
            ]);
          return { after: commit };
        },
      },
    ],
    undo: async (data) => {
      if (data.undo) await restoreTo(await treeOf(places, data), data.undo, data.paths);
      return undefined;
    },
  };
}

async function treeOf(places: WorkTrees, { cwd }: RevertData): Promise<WorkTree> {
  const tree = await places.of(cwd);
  if ("missing" in tree) throw new Error(`${cwd} no longer has checkpoints: ${tree.missing}`);
  return tree;
}

async function restoreTo(tree: WorkTree, commit: string, paths: readonly RawPath[]): Promise<void> {
  const entries = await entriesAt(tree.shadow, commit, paths);
  await restore(
    tree.shadow,
    paths.map((path) => ({ path, entry: entries.get(path) })),
  );
}

function record({ job, session, turn, to, undo = "" }: RevertData, after: string): RevertRecord {
  return { id: job, session, ...(turn ? { turn } : {}), to, before: undo, after };
}

async function events(tree: WorkTree, data: RevertData, after: string): Promise<Draft[]> {
  const { turn, to, job, undo = after, cwd, discards } = data;
  const changes = await changesBetween(tree.shadow, undo, after);
  const files = describeChanges(changes, tree.place.root, cwd, 500);
  const diff = {
    ...(turn ? { turn } : {}),
    files,
    total: sumChanges(changes),
    before: undo,
    after,
    revert: { to, undo: job },
  };
  const count = changes.length === 1 ? "1 file was" : `${changes.length} files were`;
  const text = turn
    ? `${count} restored to the state ${to} the turn ${turn}.`
    : `${count} restored: ${discards ? "changes were discarded" : "a revert was undone"}.`;
  return [draft("notice", { kind: "revert", severity: "info", text }), draft("diff.updated", diff)] as Draft[];
}
