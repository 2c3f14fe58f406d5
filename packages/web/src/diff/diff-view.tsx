import type { FileChange } from "@gantry/protocol";
import { ChevronRight, Columns2, Rows2 } from "lucide-react";
import { memo, useMemo, useState, useSyncExternalStore } from "react";
import { languageOfPath } from "../code/language-names.ts";
import { useCellPart } from "../store/cell.ts";
import { preferences, setPreference } from "../store/preferences.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { ExactText } from "../ui/text/exact-text.tsx";
import { HunkView, type Layout } from "./diff-lines.tsx";
import { type Hunk, parseDiff } from "./parse-diff.ts";

/** The initial number of lines per file and of open files. */
const INITIAL_LINES = 300;
const OPEN_FILES = 8;

const NARROW = matchMedia("(max-width: 639px)");

function onNarrowChange(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

/** File changes, unified or side by side as the user prefers; on a narrow screen unified. */
export function DiffView({ changes }: { changes: readonly FileChange[] }) {
  const isNarrow = useSyncExternalStore(onNarrowChange, () => NARROW.matches);
  const preferred = useCellPart(preferences, (all) => all.diff);
  const layout = isNarrow ? "unified" : preferred;
  return (
    <div className="flex flex-col gap-1.5">
      {changes.map((change, index) => (
        <FileDiff
          key={`${change.path} ${change.to ?? ""}`}
          change={change}
          layout={layout}
          startsOpen={index < OPEN_FILES}
          hasToggle={index === 0 && !isNarrow}
        />
      ))}
    </div>
  );
}

const kinds = { add: "New", delete: "Deleted", move: "Moved", update: undefined } as const;

type FileDiffProps = { change: FileChange; layout: Layout; startsOpen: boolean; hasToggle: boolean };

const FileDiff = memo(function FileDiff({ change, layout, startsOpen, hasToggle }: FileDiffProps) {
  const [open, setOpen] = useState(startsOpen);
  const { path, to, kind, diff, additions = 0, deletions = 0 } = change;
  const other = layout === "split" ? "unified" : "split";
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex items-center border-b border-line bg-page pr-0.5 last:border-b-0">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 grow items-center gap-2 px-2 py-1 text-left text-xs hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden="true" className={classes("shrink-0 text-faint", open && "rotate-90")} />
          <span className="truncate font-mono">
            <ExactText text={to ? `${path} → ${to}` : path} />
          </span>
          {kinds[kind] && <Badge>{kinds[kind]}</Badge>}
          <span className="ml-auto shrink-0 pl-2 tabular-nums">
            <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
          </span>
        </button>
        {hasToggle && (
          <Button
            look="quiet"
            className="h-6 w-6"
            label={layout === "split" ? "Show unified" : "Show side by side"}
            icon={layout === "split" ? <Rows2 size={13} /> : <Columns2 size={13} />}
            onClick={() => setPreference("diff", other)}
          />
        )}
      </div>
      {open && <Hunks diff={diff} layout={layout} language={languageOfPath(to ?? path)} />}
    </div>
  );
});

function Hunks({ diff, layout, language }: { diff?: string; layout: Layout; language: string }) {
  const hunks = useMemo(() => parseDiff(diff ?? ""), [diff]);
  const [max, setMax] = useState(INITIAL_LINES);
  const shown = useMemo(() => firstLines(hunks, max), [hunks, max]);
  const count = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (count === 0) return <p className="px-3 py-1 text-2xs text-faint">The agent did not report the changed lines.</p>;
  return (
    <div className="font-mono text-xs">
      {shown.map((hunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hunks of a file keep their order.
        <div key={index}>
          {index > 0 && (
            <div className="border-y border-line bg-page px-3 text-2xs text-faint">⋯ {hunk.title.slice(0, 200)}</div>
          )}
          <HunkView hunk={hunk} layout={layout} language={language} />
        </div>
      ))}
      {count > max && (
        <button
          type="button"
          onClick={() => setMax(max * 5)}
          className="w-full border-t border-line px-3 py-1 text-left font-sans text-2xs font-medium text-accent hover:bg-hover"
        >
          Show more ({(count - max).toLocaleString("en")} lines left)
        </button>
      )}
    </div>
  );
}

function firstLines(hunks: readonly Hunk[], max: number): Hunk[] {
  const shown: Hunk[] = [];
  let left = max;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}
