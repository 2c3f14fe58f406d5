import type { Comment, FileChange, SessionView } from "@gantry/protocol";
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Hunk } from "../diff/parse-diff.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { FileTree } from "./file-tree.tsx";
import { toggleViewed, viewedFiles } from "./panel-state.ts";
import { type RowActions, RowView } from "./row-views.tsx";
import { nameOf, type Place, type ReviewRow, reviewRows } from "./rows.ts";
import type { ReviewedChanges } from "./use-changes.ts";
import { usePatches } from "./use-patches.ts";

/** Files with more changed lines start closed. */
const LARGE = 3000;
const NO_COMMENTS: readonly Comment[] = [];
const NO_MARKS: readonly string[] = [];

type ChangeListProps = {
  session: SessionView;
  changes: ReviewedChanges;
  layout: "unified" | "split";
  showTree: boolean;
  onTreeChoice: () => void;
  list: RefObject<VirtualizerHandle | null>;
  onChanged: () => void;
};

/** All changed files with their lines in one virtual list. Patches load when their file comes into view. */
export function ChangeList({ session, changes, layout, showTree, onTreeChoice, list, onChanged }: ChangeListProps) {
  const { id, comments = NO_COMMENTS } = session;
  const { files } = changes;
  const { patches, request } = usePatches(id, changes);
  const marks = useCell(viewedFiles)[id] ?? NO_MARKS;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [form, setForm] = useState<Place>();
  const isViewed = useCallback((file: FileChange) => marks.includes(markOf(file)), [marks]);
  const isOpen = useCallback(
    (file: FileChange) => {
      const starts = !isViewed(file) && (file.additions ?? 0) + (file.deletions ?? 0) <= LARGE;
      return toggled.has(nameOf(file)) ? !starts : starts;
    },
    [toggled, isViewed],
  );
  const rows = useMemo(
    () => reviewRows({ files, patches, isOpen, layout, comments, form }),
    [files, patches, isOpen, layout, comments, form],
  );
  const actions = useRowActions({ id, changes, layout, request, isViewed, setToggled, setForm, onChanged });
  const choose = (file: FileChange) => {
    onTreeChoice();
    const index = rows.findIndex((row) => row.kind === "file" && row.file === file);
    requestAnimationFrame(() => list.current?.scrollToIndex(index, { align: "start" }));
  };
  if (files.length === 0 && comments.length === 0)
    return <p className="m-auto p-6 text-center text-sm text-soft">Nothing has changed in this comparison.</p>;
  return (
    <div className="relative flex min-h-0 grow">
      {showTree && (
        <FileTree
          files={files}
          isViewed={isViewed}
          onChoose={choose}
          className="w-56 shrink-0 border-r border-line bg-surface @max-lg:absolute @max-lg:inset-0 @max-lg:z-10 @max-lg:w-full"
        />
      )}
      <section
        aria-label="Changed lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        onKeyDown={moveBetweenLines}
        className="min-h-0 min-w-0 grow overflow-y-auto overscroll-contain pb-4 [overflow-anchor:none]"
      >
        <Virtualizer ref={list} data={rows} itemSize={20}>
          {(row: ReviewRow) => <RowView key={row.key} row={row} actions={actions} />}
        </Virtualizer>
      </section>
    </div>
  );
}

type ActionSource = {
  id: string;
  changes: ReviewedChanges;
  layout: "unified" | "split";
  request: (file: FileChange) => void;
  isViewed: (file: FileChange) => boolean;
  setToggled: (update: (names: ReadonlySet<string>) => ReadonlySet<string>) => void;
  setForm: (place: Place | undefined) => void;
  onChanged: () => void;
};

function useRowActions(source: ActionSource): RowActions {
  const { id, changes, layout, request, isViewed, setToggled, setForm, onChanged } = source;
  const { base, to, live, from, turns } = changes;
  // A turn in the past cannot be discarded alone: later turns build on it.
  const endsNow = !turns.some(({ checkpoint, turn }) => checkpoint.after === to && turn !== turns.at(-1)?.turn);
  return useMemo(() => {
    const discard = (file: FileChange, hunk?: Hunk) =>
      void discardChange(id, { file, hunk, from, seen: to }, onChanged).then(onChanged, toastError);
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
      ...(live || !endsNow ? {} : { discard }),
      place: setForm,
    };
  }, [id, base, to, live, from, endsNow, layout, request, isViewed, setToggled, setForm, onChanged]);
}

type Discarded = { file: FileChange; hunk?: Hunk; from: string; seen: string };

/** Restores a file or a hunk. The toast undoes it. */
async function discardChange(
  session: string,
  { file, hunk, from, seen }: Discarded,
  onUndone: () => void,
): Promise<void> {
  const paths = [file.path, ...(file.to && !hunk ? [file.to] : [])];
  const hunks = hunk?.range ? { paths: [nameOf(file)], hunks: [hunk.range] } : { paths };
  const { undo } = await client.changes.discard(session, { from, seen, ...hunks });
  const text = hunk ? `Discarded a hunk of ${nameOf(file)}.` : `Discarded the changes of ${nameOf(file)}.`;
  const run = () => void client.turns.undo(session, undo ?? "").then(onUndone, toastError);
  toast({ tone: "info", text, ...(undo ? { action: { label: "Undo", run } } : {}) });
}

/** The arrow keys move between the line numbers that are on screen. */
function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !(event.target instanceof HTMLElement) || !event.target.matches("[data-line]")) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-line]")];
  const next = lines[lines.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** A file with its counts. Another change of the file has, almost always, other counts. */
function markOf(file: FileChange): string {
  return `${nameOf(file)} +${file.additions ?? 0} -${file.deletions ?? 0}`;
}

function withToggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}
