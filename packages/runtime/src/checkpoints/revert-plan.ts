import { type Draft, draft, type RevertedFile } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import type { RecordChange, Store } from "../log/port.ts";
import type { Places } from "./places.ts";
import { REVERTS } from "./retention.ts";
import { changesBetween, described, summed } from "./work-tree/diff.ts";
import type { RawPath } from "./work-tree/paths.ts";
import { keep, refOf } from "./work-tree/refs.ts";
import { entriesAt, restore } from "./work-tree/restore.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";

/** Files on their way to how they are in the commit `target`. */
export type RevertData = {
  job: string;
  session: string;
  cwd: string;
  turn?: string;
  to: "before" | "after";
  target: string;
  paths: RawPath[];
  files: RevertedFile[];
  /** The work tree before anything was written, and when all was. */
  undo?: string;
  after?: string;
};

/** How a revert is taken back: from `after` to `before`. */
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
  places: Places;
  tell: (session: string, events: readonly Draft[], records?: readonly RecordChange[]) => void;
};

/**
 * Keeps the work tree, writes the files, tells of it. Who starts it has the work tree for itself until it is over. What
 * fails in the middle is put back to how it was.
 */
export function revertPlan({ store, places, tell }: RevertParts): Plan<RevertData> {
  return {
    kind: REVERT,
    steps: [
      {
        name: "keep",
        run: async (data) => {
          const tree = await treeOf(places, data);
          const { commit } = await tree.now();
          await keep(tree.repository, refOf(data.session, data.job, "before"), commit);
          return { undo: commit };
        },
      },
      {
        name: "write",
        run: async (data) => {
          const tree = await treeOf(places, data);
          await putBack(tree, data.target, data.paths);
          return undefined;
        },
      },
      {
        name: "tell",
        run: async (data) => {
          const tree = await treeOf(places, data);
          const { commit } = await tree.now();
          await keep(tree.repository, refOf(data.session, data.job, "after"), commit);
          const told = store.records<RevertRecord>(REVERTS).get(data.job);
          if (!told)
            tell(data.session, await events(tree, data, commit), [
              { kind: REVERTS, id: data.job, value: record(data, commit) },
            ]);
          return { after: commit };
        },
      },
    ],
    undo: async (data) => {
      if (data.undo) await putBack(await treeOf(places, data), data.undo, data.paths);
      return undefined;
    },
  };
}

async function treeOf(places: Places, { cwd }: RevertData): Promise<WorkTree> {
  const tree = await places.of(cwd);
  if ("missing" in tree) throw new Error(`${cwd} has no checkpoints any more: ${tree.missing}`);
  return tree;
}

async function putBack(tree: WorkTree, commit: string, paths: readonly RawPath[]): Promise<void> {
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
  const { turn, to, job, undo = after, cwd } = data;
  const changes = await changesBetween(tree.shadow, undo, after);
  const files = described(changes, tree.place.root, cwd, 500);
  const diff = {
    ...(turn ? { turn } : {}),
    files,
    total: summed(changes),
    before: undo,
    after,
    revert: { to, undo: job },
  };
  const count = changes.length === 1 ? "1 file was" : `${changes.length} files were`;
  const text = turn
    ? `${count} put back to how it was ${to} the turn ${turn}.`
    : `${count} put back: a revert was undone.`;
  return [draft("notice", { kind: "revert", severity: "info", text }), draft("diff.updated", diff)] as Draft[];
}
