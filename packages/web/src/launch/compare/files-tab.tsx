import type { ComparedLane, Comparison } from "@gantry/protocol";
import { useMemo, useState } from "react";
import { DiffView } from "../../diff/diff-view.tsx";
import { withPatch } from "../../diff/split-patch.ts";
import { classes } from "../../ui/classes.ts";
import { type ChangedFile, changedFiles } from "./changed-files.ts";
import { LaneColumns } from "./lane-columns.tsx";

/** The files changed in any lane, and the selected file's diff in each lane. */
export function FilesTab({ comparison }: { comparison: Comparison }) {
  const { lanes } = comparison;
  const files = useMemo(() => changedFiles(comparison), [comparison]);
  const [chosen, choose] = useState<string>();
  const path = files.some((file) => file.path === chosen) ? chosen : files[0]?.path;
  if (files.length === 0) return <p className="text-soft">No files changed yet.</p>;
  return (
    <div className="flex gap-4 max-[1000px]:flex-col">
      <FileList files={files} of={lanes.length} chosen={path} onChoose={choose} />
      <div className="min-w-0 grow">
        {isSameInAll(lanes, path ?? "") && lanes[0] ? (
          <section aria-label="Same in all lanes">
            <h2 className="pb-1.5 text-xs font-medium text-soft">
              Same in all: {lanes.map(({ name }) => name).join(", ")}
            </h2>
            <OneFile lane={lanes[0]} path={path ?? ""} />
          </section>
        ) : (
          <LaneColumns lanes={lanes}>{(lane) => <OneFile lane={lane} path={path ?? ""} />}</LaneColumns>
        )}
      </div>
    </div>
  );
}

/** Whether several lanes made the same change to a file, and no lane another or none. */
function isSameInAll(lanes: readonly ComparedLane[], path: string): boolean {
  const patches = lanes.map(({ diff }) => {
    if (diff.left.includes(path)) return undefined;
    const files = diff.files.filter((file) => file.path === path || file.to === path);
    return files.length === 0
      ? undefined
      : withPatch(files, diff.patch)
          .map((change) => JSON.stringify(change))
          .join();
  });
  return lanes.length > 1 && patches[0] !== undefined && patches.every((patch) => patch === patches[0]);
}

type FileListProps = { files: readonly ChangedFile[]; of: number; chosen?: string; onChoose: (path: string) => void };

function FileList({ files, of, chosen, onChoose }: FileListProps) {
  return (
    <ul aria-label="Files" className="w-60 shrink-0 max-[1000px]:w-full">
      {files.map(({ path, lanes }) => (
        <li key={path}>
          <button
            type="button"
            aria-pressed={path === chosen}
            onClick={() => onChoose(path)}
            className={classes(
              "flex w-full items-center gap-2 rounded px-2 py-1 text-left hover:bg-hover",
              path === chosen && "bg-accent-wash",
            )}
          >
            <span className="min-w-0 grow truncate font-mono text-xs [direction:rtl]">
              <bdi>{path}</bdi>
            </span>
            <span
              className={classes("shrink-0 text-xs tabular-nums", lanes > 1 ? "text-need" : "text-faint")}
              title={`Changed by ${lanes} of ${of}`}
            >
              {lanes}/{of}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function OneFile({ lane, path }: { lane: ComparedLane; path: string }) {
  const { diff } = lane;
  const changes = useMemo(
    () =>
      withPatch(
        diff.files.filter((file) => file.path === path || file.to === path),
        diff.patch,
      ),
    [diff, path],
  );
  if (changes.length === 0)
    return (
      <p className="rounded-md border border-dashed border-line px-3 py-6 text-center text-faint">Not changed here</p>
    );
  if (diff.left.includes(path))
    return (
      <p className="rounded-md border border-line px-3 py-2 text-soft">
        Too long to show here. Open the lane to read it.
      </p>
    );
  return <DiffView changes={changes} />;
}
