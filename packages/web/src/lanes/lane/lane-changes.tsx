import type { Lane } from "@gantry/protocol";
import { useMemo } from "react";
import { DiffCount } from "../../diff/diff-count.tsx";
import { DiffView } from "../../diff/diff-view.tsx";
import { withPatch } from "../../diff/split-patch.ts";
import { client } from "../../store/connection/client.ts";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

/** All changes since the lane was created, committed or not. */
export function LaneChanges({ lane }: { lane: Lane }) {
  const key = `${lane.id} ${lane.head} ${lane.changes}`;
  const { value, error, reload } = useQuery(key, () => client.call("laneDiff", { params: { id: lane.id }, query: {} }));
  const changes = useMemo(() => (value ? withPatch(value.files, value.patch) : []), [value]);
  if (error !== undefined) return <LoadError error={error} onRetry={reload} />;
  if (!value) return <p className="text-faint">Comparing…</p>;
  if (changes.length === 0) return <p className="text-soft">No changes since {value.from.slice(0, 8)}.</p>;
  return (
    <>
      <p className="mb-2 text-soft">
        {changes.length === 1 ? "1 file" : `${changes.length} files`} <DiffCount changes={changes} /> since{" "}
        <code className="font-mono text-xs">{value.from.slice(0, 8)}</code>
        {value.notice && <span className="block text-need">{value.notice}</span>}
      </p>
      <DiffView changes={changes} />
    </>
  );
}
