import type { Changes, FileChange, PastSession } from "@gantry/protocol";
import { useState } from "react";
import { DiffCount } from "../diff/diff-count.tsx";
import { DiffView } from "../diff/diff-view.tsx";
import { client } from "../store/connection/client.ts";
import { Dialog } from "../ui/layout/dialog.tsx";
import { useQuery } from "../ui/load/use-query.ts";

/** What had changed in the files at a moment, against the start of the session. */
export function PastFiles({ past: { id, checkpoint } }: { past: PastSession }) {
  const commit = checkpoint?.commit;
  const { value, error } = useQuery(`${id} ${commit}`, async () =>
    commit ? client.changes.list(id, { from: "session", to: commit }) : undefined,
  );
  const [shown, show] = useState<FileChange>();
  if (!checkpoint) return <p className="text-faint">There is no checkpoint of the files at this moment.</p>;
  if (error !== undefined) return <p className="text-soft">{error instanceof Error ? error.message : String(error)}</p>;
  return (
    <>
      <p className="pb-1 text-xs text-soft">
        {checkpoint.exact
          ? `Checkpoint ${checkpoint.side} the turn`
          : "Checkpoint before the turn. The turn was running and may have changed them since."}
      </p>
      {value?.files.length === 0 && <p className="text-faint">No files changed until then.</p>}
      <ul aria-label="Changed files" className="flex flex-col">
        {value?.files.map((file) => (
          <li key={`${file.path} ${file.to ?? ""}`}>
            <button
              type="button"
              onClick={() => show(file)}
              className="flex w-full items-center gap-2 rounded px-1 py-0.5 text-left text-xs pointer-coarse:min-h-11 hover:bg-hover"
            >
              <span className="min-w-0 grow truncate font-mono [direction:rtl]">
                <bdi>{file.to ?? file.path}</bdi>
              </span>
              <DiffCount changes={[file]} />
            </button>
          </li>
        ))}
      </ul>
      {value?.cut && <p className="text-xs text-faint">The list is cut.</p>}
      {shown && value && <FileDialog id={id} file={shown} changes={value} onClose={() => show(undefined)} />}
    </>
  );
}

type FileDialogProps = { id: string; file: FileChange; changes: Changes; onClose: () => void };

function FileDialog({ id, file, changes: { base, to }, onClose }: FileDialogProps) {
  const { value, error } = useQuery(`${id} ${base} ${to} ${file.path}`, () =>
    client.changes.file(id, { path: file.path, from: base, to, ...(file.to ? { moved: file.to } : {}) }),
  );
  return (
    <Dialog title={file.to ?? file.path} wide onClose={onClose}>
      {error !== undefined && <p className="text-bad">{error instanceof Error ? error.message : String(error)}</p>}
      {!value && error === undefined && <p className="text-faint">Loading…</p>}
      {value?.cut && <p className="text-soft">The change is too large to show here.</p>}
      {value && !value.cut && <DiffView changes={[{ ...file, diff: value.patch }]} />}
    </Dialog>
  );
}
