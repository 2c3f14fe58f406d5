import type { Comment, FileChange, SessionView, StagedFile } from "@gantry/protocol";
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useCell } from "../store/cell.ts";
import { FileTree } from "./file-tree.tsx";
import { RowView } from "./row-views.tsx";
import { nameOf, type Place, type ReviewRow, reviewRows } from "./rows.ts";
import type { ReviewedChanges } from "./use-changes.ts";
import { noteScroll } from "./use-line-looks.ts";
import { usePatches } from "./use-patches.ts";
import { markOf, useRowActions } from "./use-row-actions.ts";
import { viewedFiles } from "./viewed-files.ts";

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
  /** Staged files; absent while they are unknown. */
  staged: readonly StagedFile[] | undefined;
  onChanged: () => void;
};

/** All changed files with their lines in one virtual list. Patches load when their file comes into view. */
export function ChangeList(props: ChangeListProps) {
  const { session, changes, layout, showTree, onTreeChoice, list, staged, onChanged } = props;
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
  const actions = useRowActions({ id, changes, layout, request, isViewed, setToggled, setForm, staged, onChanged });
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
        onScroll={noteScroll}
        className="min-h-0 min-w-0 grow overflow-y-auto overscroll-contain pb-4 [overflow-anchor:none]"
      >
        <Virtualizer ref={list} data={rows} itemSize={20}>
          {(row: ReviewRow) => <RowView key={row.key} row={row} actions={actions} />}
        </Virtualizer>
      </section>
    </div>
  );
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
