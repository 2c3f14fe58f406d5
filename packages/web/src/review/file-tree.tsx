import type { FileChange } from "@gantry/protocol";
import { Check } from "lucide-react";
import { useMemo } from "react";
import { Virtualizer } from "virtua";
import { DiffCount } from "../diff/diff-count.tsx";
import { classes } from "../ui/classes.ts";
import { ExactText } from "../ui/text/exact-text.tsx";
import { nameOf } from "./rows.ts";
import { type TreeLine, treeLines } from "./tree-lines.ts";

type FileTreeProps = {
  files: readonly FileChange[];
  isViewed: (file: FileChange) => boolean;
  onChoose: (file: FileChange) => void;
  className?: string;
};

/** The changed files by folder, with the number of changed lines. */
export function FileTree({ files, isViewed, onChoose, className }: FileTreeProps) {
  const lines = useMemo(() => treeLines(files), [files]);
  return (
    <nav aria-label="Changed files" className={classes("overflow-y-auto py-1 text-xs", className)}>
      <Virtualizer data={lines} itemSize={26}>
        {(line: TreeLine) => <TreeRow key={line.key} line={line} isViewed={isViewed} onChoose={onChoose} />}
      </Virtualizer>
    </nav>
  );
}

type TreeRowProps = Pick<FileTreeProps, "isViewed" | "onChoose"> & { line: TreeLine };

function TreeRow({ line: { depth, name, file }, isViewed, onChoose }: TreeRowProps) {
  const indent = { paddingInlineStart: `${0.5 + depth * 0.75}rem` };
  if (!file)
    return (
      <p style={indent} className="truncate py-1 pr-2 text-faint">
        <ExactText text={name} />
      </p>
    );
  return (
    <button
      type="button"
      title={nameOf(file)}
      style={indent}
      onClick={() => onChoose(file)}
      className="flex w-full items-center gap-2 py-1 pr-2 text-left pointer-coarse:min-h-11 hover:bg-hover"
    >
      <span className={classes("min-w-0 grow truncate", isViewed(file) && "text-faint")}>
        <ExactText text={name} />
      </span>
      {isViewed(file) && <Check size={12} aria-label="Viewed" className="shrink-0 text-good" />}
      {!file.binary && <DiffCount changes={[file]} />}
    </button>
  );
}
