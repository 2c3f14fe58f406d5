import type { FileChange } from "@gantry/protocol";
import { ChevronRight, Minus, Plus, Undo2 } from "lucide-react";
import { memo, useEffect } from "react";
import { languageOfPath } from "../code/language-names.ts";
import { DiffCount } from "../diff/diff-count.tsx";
import { backgrounds, LineText, type Looks } from "../diff/diff-lines.tsx";
import type { DiffLine, Hunk } from "../diff/parse-diff.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { ExactText } from "../ui/text/exact-text.tsx";
import { CommentCard } from "./comments/comment-card.tsx";
import { CommentForm } from "./comments/comment-form.tsx";
import { nameOf, type Place, type ReviewRow } from "./rows.ts";
import { useLineLooks } from "./use-line-looks.ts";

/** What the rows of the list can do. Stable, so that rows stay memoised. */
export type RowActions = {
  session: string;
  between: { from: string; to: string };
  split: boolean;
  /** Loads the patch of a file. Returns the withdrawal. */
  request: (file: FileChange) => () => void;
  toggle: (file: FileChange) => void;
  isViewed: (file: FileChange) => boolean;
  markViewed: (file: FileChange) => void;
  /** Each changes a file, or one hunk of it. Absent for a comparison in which that is not possible. */
  discard?: ChangeAction;
  stage?: ChangeAction;
  unstage?: ChangeAction;
  /** Whether the hunks are those of the index. In other comparisons only whole files are unstaged. */
  unstagesHunks: boolean;
  stagedState: (file: FileChange) => "staged" | "partly" | undefined;
  /** Opens the form of a comment. `extend`: from the line of the open form to this one. */
  place: (place: Place | undefined, extend?: boolean) => void;
};

type ChangeAction = (file: FileChange, hunk?: Hunk) => void;

type RowProps<K extends ReviewRow["kind"]> = { row: Extract<ReviewRow, { kind: K }>; actions: RowActions };

export const RowView = memo(function RowView({ row, actions }: { row: ReviewRow; actions: RowActions }) {
  switch (row.kind) {
    case "file":
      return <FileRow row={row} actions={actions} />;
    case "load":
      return <LoadRow row={row} actions={actions} />;
    case "note":
      return <p className="px-3 py-1.5 text-xs text-faint">{row.text}</p>;
    case "hunk":
      return <HunkRow row={row} actions={actions} />;
    case "line":
      return <LineRow row={row} actions={actions} />;
    case "comment":
      return <CommentCard session={actions.session} comment={row.comment} />;
    case "form":
      return (
        <CommentForm session={actions.session} place={row.place} between={actions.between} onPlace={actions.place} />
      );
  }
});

const KINDS = { add: "New", delete: "Deleted", move: "Moved", update: undefined } as const;

function FileRow({ row: { file, open }, actions }: RowProps<"file">) {
  const { path, to, kind } = file;
  const name = nameOf(file);
  const staged = actions.stagedState(file);
  return (
    <div className="flex items-center gap-1 border-y border-line bg-raised pr-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => actions.toggle(file)}
        className="flex min-w-0 grow items-center gap-2 py-1.5 pl-2 text-left text-xs pointer-coarse:min-h-11 hover:bg-hover"
      >
        <ChevronRight size={13} aria-hidden="true" className={classes("shrink-0 text-faint", open && "rotate-90")} />
        <span className="truncate font-mono font-medium" dir="rtl" title={name}>
          <bdi>
            <ExactText text={to ? `${path} → ${to}` : path} />
          </bdi>
        </span>
        {KINDS[kind] && <Badge>{KINDS[kind]}</Badge>}
        {staged && <Badge>{staged === "partly" ? "Partly staged" : "Staged"}</Badge>}
        <span className="ml-auto shrink-0 pl-1">{file.binary ? null : <DiffCount changes={[file]} />}</span>
      </button>
      {actions.stage && staged !== "staged" && (
        <Button look="quiet" label={`Stage ${name}`} icon={<Plus size={14} />} onClick={() => actions.stage?.(file)} />
      )}
      {actions.unstage && staged && (
        <Button
          look="quiet"
          label={`Unstage ${name}`}
          icon={<Minus size={14} />}
          onClick={() => actions.unstage?.(file)}
        />
      )}
      {actions.discard && (
        <Button
          look="quiet"
          label={`Discard changes of ${name}`}
          icon={<Undo2 size={13} />}
          onClick={() => actions.discard?.(file)}
        />
      )}
      <label className="flex shrink-0 items-center gap-1 text-xs text-soft pointer-coarse:min-h-11">
        <input
          type="checkbox"
          aria-label={`Viewed ${name}`}
          checked={actions.isViewed(file)}
          onChange={() => actions.markViewed(file)}
        />
        <span className="@max-md:hidden">Viewed</span>
      </label>
    </div>
  );
}

/** Takes about the height of the patch, so that the list does not jump much when it arrives. */
function LoadRow({ row: { file }, actions: { request } }: RowProps<"load">) {
  useEffect(() => request(file), [file, request]);
  const lines = Math.min(40, (file.additions ?? 0) + (file.deletions ?? 0) + 4);
  return (
    <p className="px-3 py-1 text-xs text-faint" style={{ height: lines * 18 }}>
      Loading…
    </p>
  );
}

function HunkRow({ row: { file, hunk }, actions }: RowProps<"hunk">) {
  return (
    <div className="group flex min-h-6 items-center gap-2 bg-page pl-3 text-2xs text-faint">
      <span className="min-w-0 grow truncate font-mono">
        ⋯ {hunk.range && `Line ${Math.max(1, hunk.range.newStart)}`} {hunk.title.slice(0, 200)}
      </span>
      {hunk.range && <HunkActions file={file} hunk={hunk} actions={actions} />}
    </div>
  );
}

/** Buttons that appear with the pointer or the focus, and always on a touch screen. */
function HunkActions({ file, hunk, actions }: { file: FileChange; hunk: Hunk; actions: RowActions }) {
  const { discard, stage, unstage, unstagesHunks } = actions;
  const offered = [
    { verb: "Stage", run: stage },
    { verb: "Unstage", run: unstagesHunks ? unstage : undefined },
    { verb: "Discard", run: discard },
  ];
  return offered.map(
    ({ verb, run }) =>
      run && (
        <button
          key={verb}
          type="button"
          aria-label={`${verb} hunk at line ${hunk.range?.newStart} of ${nameOf(file)}`}
          onClick={() => run(file, hunk)}
          className="shrink-0 rounded px-1.5 opacity-0 group-hover:opacity-100 pointer-coarse:min-h-11 pointer-coarse:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100"
        >
          {verb} hunk
        </button>
      ),
  );
}

const NUMBER = "flex w-9 shrink-0 items-start justify-end pr-1.5 text-faint tabular-nums select-none";

function LineRow({ row, actions }: RowProps<"line">) {
  const { file, hunk, left, right } = row;
  const looks = useLineLooks(hunk, languageOfPath(nameOf(file)));
  if (actions.split)
    return (
      <div className="grid grid-cols-2 font-mono text-xs">
        <Half line={left} side="old" looks={looks} file={file} actions={actions} />
        <Half line={right} side="new" looks={looks} file={file} actions={actions} edge />
      </div>
    );
  const line = right ?? left;
  if (!line) return null;
  const side = line.kind === "removed" ? "old" : "new";
  return (
    <div className={classes("flex font-mono text-xs", backgrounds[line.kind])}>
      {side === "new" && <span className={NUMBER}>{line.old}</span>}
      <LineNumber line={line} side={side} file={file} actions={actions} shown={side === "old" ? line.old : line.new} />
      {side === "old" && <span className={NUMBER} />}
      <LineText line={line} looks={looks} />
    </div>
  );
}

type HalfProps = {
  line?: DiffLine;
  side: "old" | "new";
  looks: Looks;
  file: FileChange;
  actions: RowActions;
  edge?: boolean;
};

function Half({ line, side, looks, file, actions, edge }: HalfProps) {
  return (
    <div className={classes("flex min-w-0", edge && "border-l border-line", line ? backgrounds[line.kind] : "bg-page")}>
      {line && (
        <LineNumber
          line={line}
          side={side === "old" && line.kind === "same" ? "new" : side}
          file={file}
          actions={actions}
          shown={side === "old" ? line.old : line.new}
        />
      )}
      {line && <LineText line={line} looks={looks} />}
    </div>
  );
}

type LineNumberProps = {
  line: DiffLine;
  side: "old" | "new";
  file: FileChange;
  actions: RowActions;
  shown?: number;
};

/** The number of a line, which opens the form for a comment. Arrow keys move between the numbers. */
function LineNumber({ line, side, file, actions, shown }: LineNumberProps) {
  const number = side === "old" ? line.old : line.new;
  if (number === undefined) return null;
  const path = side === "old" ? file.path : nameOf(file);
  const where = side === "old" ? `removed line ${number}` : `line ${number}`;
  return (
    <button
      type="button"
      data-line
      aria-label={`Comment on ${where} of ${path}`}
      title="Comment. With Shift: up to this line."
      onClick={(event) => actions.place({ path, side, line: number }, event.shiftKey)}
      className={classes(
        NUMBER,
        "hover:bg-accent-fill hover:text-on-accent focus-visible:bg-accent-fill focus-visible:text-on-accent",
      )}
    >
      {shown}
    </button>
  );
}
