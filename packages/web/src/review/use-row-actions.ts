import type { FileChange, StagedFile } from "@gantry/protocol";
import { type Dispatch, type SetStateAction, useMemo } from "react";
import type { Hunk } from "../diff/parse-diff.ts";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import type { RowActions } from "./row-views.tsx";
import { nameOf, type Place } from "./rows.ts";
import type { ReviewedChanges } from "./use-changes.ts";
import { toggleViewed } from "./viewed-files.ts";

type ActionSource = {
  id: string;
  changes: ReviewedChanges;
  layout: "unified" | "split";
  /** Loads the patch of a file. Returns the withdrawal. */
  request: (file: FileChange) => () => void;
  isViewed: (file: FileChange) => boolean;
  setToggled: (update: (names: ReadonlySet<string>) => ReadonlySet<string>) => void;
  setForm: Dispatch<SetStateAction<Place | undefined>>;
  staged: readonly StagedFile[] | undefined;
  onChanged: () => void;
};

/** What the rows of the list can do. Stable while nothing changes, so that rows stay memoised. */
export function useRowActions(source: ActionSource): RowActions {
  const { id, changes, layout, request, isViewed, setToggled, setForm, staged, onChanged } = source;
  const { base, to, live, from, turns, index } = changes;
  // A turn in the past can be neither discarded nor staged alone: later turns build on it.
  const isPast = turns.some(({ checkpoint, turn }) => checkpoint.after === to && turn !== turns.at(-1)?.turn);
  return useMemo(() => {
    const discard = (file: FileChange, hunk?: Hunk) =>
      void discardChange(id, { file, hunk, from, seen: to }, onChanged).then(onChanged, toastError);
    const change = (how: "stage" | "unstage") => (file: FileChange, hunk?: Hunk) =>
      void client.changes[how](id, { ...partOf(file, hunk), seen: to }).then(onChanged, toastError);
    const states = new Map(staged?.map(({ path, partly }) => [path, partly ? "partly" : "staged"] as const));
    const canChange = !live && !isPast;
    return {
      session: id,
      between: { from: base, to },
      split: layout === "split",
      request,
      isViewed,
      toggle: (file) => setToggled((names) => withToggled(names, nameOf(file))),
      markViewed: (file) => {
        setToggled((names) => new Set([...names].filter((name) => name !== nameOf(file))));
        toggleViewed(id, markOf(file));
      },
      stagedState: (file) => states.get(nameOf(file)),
      ...(canChange && !index ? { discard } : {}),
      ...(canChange && !index && staged ? { stage: change("stage") } : {}),
      ...(canChange && staged ? { unstage: change("unstage") } : {}),
      unstagesHunks: index,
      place: (place, extend = false) => setForm((before) => (place && extend ? extendTo(before, place) : place)),
    };
  }, [id, base, to, live, from, isPast, index, layout, request, isViewed, setToggled, setForm, staged, onChanged]);
}

/** A file with its counts. Another change of the file has, almost always, other counts. */
export function markOf(file: FileChange): string {
  return `${nameOf(file)} +${file.additions ?? 0} -${file.deletions ?? 0}`;
}

/** The range from the line of the open form to another line of the same file. */
function extendTo(before: Place | undefined, place: Place): Place {
  if (!before || before.path !== place.path || before.side !== place.side) return place;
  const line = Math.min(before.line, place.line);
  const endLine = Math.max(before.endLine ?? before.line, place.line);
  return { path: place.path, side: place.side, line, ...(endLine > line ? { endLine } : {}) };
}

/** The paths of a whole file, or one hunk of it. */
function partOf(file: FileChange, hunk: Hunk | undefined) {
  if (hunk?.range) return { paths: [nameOf(file)], hunks: [hunk.range] };
  return { paths: [file.path, ...(file.to ? [file.to] : [])] };
}

type Discarded = { file: FileChange; hunk?: Hunk; from: string; seen: string };

/** Restores a file or a hunk. The toast undoes it. */
async function discardChange(
  session: string,
  { file, hunk, from, seen }: Discarded,
  onUndone: () => void,
): Promise<void> {
  const { undo } = await client.changes.discard(session, { from, seen, ...partOf(file, hunk) });
  const text = hunk ? `Discarded a hunk of ${nameOf(file)}.` : `Discarded the changes of ${nameOf(file)}.`;
  const run = () => void client.turns.undo(session, undo ?? "").then(onUndone, toastError);
  toast({ tone: "info", text, ...(undo ? { action: { label: "Undo", run } } : {}) });
}

/** The set with the name added, or removed if it was in it. */
export function withToggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}
