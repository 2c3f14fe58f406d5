import type { FileChange } from "@gantry/protocol";

/** The number of added and removed lines. */
export function DiffCount({ changes }: { changes: readonly FileChange[] }) {
  const sum = (pick: (change: FileChange) => number | undefined) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return (
    <span className="tabular-nums">
      <span className="text-good">+{sum((change) => change.additions)}</span>{" "}
      <span className="text-bad">−{sum((change) => change.deletions)}</span>
    </span>
  );
}
