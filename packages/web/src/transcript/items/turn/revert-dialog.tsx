import type { Reverted, RevertedFile } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../../store/connection/client.ts";
import { toast, toastError } from "../../../store/toasts.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Checkbox } from "../../../ui/controls/checkbox.tsx";
import { Badge } from "../../../ui/display/badge.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../../ui/load/attempt.tsx";
import { useQuery } from "../../../ui/load/use-query.ts";

type RevertDialogProps = { session: string; turn: string; onClose: () => void };

/** Restores the files of a turn to their state before it. Shows the effect on each file first. */
export function RevertDialog({ session, turn, onClose }: RevertDialogProps) {
  const { value: preview, error } = useQuery(turn, () =>
    client.call("revertTurn", { params: { id: session, turn }, body: { dry: true } }),
  );
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const { attempt, busy, problem } = useAttempt();
  const files = preview?.files ?? [];
  const selected = files.filter((file) => file.action !== "none" && !excluded.has(file.path));
  const force = selected.some((file) => file.conflict);
  const revert = () =>
    attempt(async () => {
      const paths = selected.map((file) => file.path);
      toastReverted(
        session,
        await client.call("revertTurn", {
          params: { id: session, turn },
          body: { paths, ...(force ? { force } : {}) },
        }),
      );
      onClose();
    });
  const toggle = (path: string) =>
    setExcluded((now) => {
      const next = new Set(now);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <Dialog
      title="Revert turn"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look={force ? "danger" : "primary"} disabled={busy || selected.length === 0} onClick={revert}>
            {selected.length === 1 ? "Revert 1 file" : `Revert ${selected.length} files`}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-soft">
        This restores the files to their state before the turn. The git index and ignored files do not change. You can
        undo the revert.
      </p>
      {error !== undefined && <ErrorMessage problem={error} />}
      {!preview && error === undefined && <p className="text-faint">Checking the files…</p>}
      <ul aria-label="Files" className="flex flex-col gap-1">
        {files.map((file) => (
          <li key={file.path}>
            <FileLine file={file} chosen={!excluded.has(file.path)} onToggle={() => toggle(file.path)} />
          </li>
        ))}
      </ul>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

const actions = { write: "Restored", delete: "Deleted", none: "Unchanged" } as const;

function FileLine({ file, chosen, onToggle }: { file: RevertedFile; chosen: boolean; onToggle: () => void }) {
  const { path, action, conflict, why } = file;
  return (
    <>
      <Checkbox checked={chosen && action !== "none"} disabled={action === "none"} onChange={onToggle}>
        <span className="min-w-0 grow truncate font-mono text-xs">{path}</span>
        {conflict && (
          <Badge tone="need" title="Later changes will be overwritten. You can undo the revert.">
            Changed since
          </Badge>
        )}
        <span className="shrink-0 text-xs text-soft">{actions[action]}</span>
      </Checkbox>
      {why && <p className="ml-6 text-xs text-faint">{why}</p>}
    </>
  );
}

function toastReverted(session: string, { files, undo }: Reverted): void {
  const count = files.filter((file) => file.action !== "none").length;
  const text = count === 1 ? "Reverted 1 file." : `Reverted ${count} files.`;
  const undoRevert = (revert: string) => () =>
    void client
      .call("undoRevert", { params: { id: session, revert } })
      .then(() => toast({ tone: "info", text: "Revert undone." }), toastError);
  toast({ tone: "info", text, ...(undo ? { action: { label: "Undo", run: undoRevert(undo) } } : {}) }, 15_000);
}
