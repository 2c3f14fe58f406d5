import type { Reverted, RevertedFile } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Checkbox } from "../../ui/controls/checkbox.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

type RevertDialogProps = { session: string; turn: string; onClose: () => void };

/** Puts the files of a turn back to how they were before it, after showing what becomes of each. */
export function RevertDialog({ session, turn, onClose }: RevertDialogProps) {
  const { value: preview, error } = useQuery(turn, () =>
    client.call("revertTurn", { params: { id: session, turn }, body: { dry: true } }),
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { attempt, busy, problem } = useAttempt();
  const files = preview?.files ?? [];
  const moving = files.filter((file) => file.action !== "none" && !left.has(file.path));
  const force = moving.some((file) => file.conflict);
  const revert = () =>
    attempt(async () => {
      const paths = moving.map((file) => file.path);
      tellReverted(
        session,
        await client.call("revertTurn", {
          params: { id: session, turn },
          body: { paths, ...(force ? { force } : {}) },
        }),
      );
      onClose();
    });
  const toggle = (path: string) =>
    setLeft((now) => {
      const next = new Set(now);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <Dialog
      title="Revert the turn"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Leave it
          </Button>
          <Button look={force ? "danger" : "primary"} disabled={busy || moving.length === 0} onClick={revert}>
            {moving.length === 1 ? "Revert 1 file" : `Revert ${moving.length} files`}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-soft">
        The files go back to how they were before this turn. Your index and ignored files stay as they are, and the
        revert itself can be taken back.
      </p>
      {error !== undefined && <ErrorMessage problem={error} />}
      {!preview && error === undefined && <p className="text-faint">Looking at the files …</p>}
      <ul aria-label="Files" className="flex flex-col gap-1">
        {files.map((file) => (
          <li key={file.path}>
            <FileLine file={file} chosen={!left.has(file.path)} onToggle={() => toggle(file.path)} />
          </li>
        ))}
      </ul>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

const words = { write: "is written back", delete: "is deleted", none: "stays" } as const;

function FileLine({ file, chosen, onToggle }: { file: RevertedFile; chosen: boolean; onToggle: () => void }) {
  const { path, action, conflict, why } = file;
  return (
    <>
      <Checkbox checked={chosen && action !== "none"} disabled={action === "none"} onChange={onToggle}>
        <span className="min-w-0 grow truncate font-mono text-xs">{path}</span>
        {conflict && (
          <Badge tone="need" title="What was changed since is lost, but for the undo.">
            changed since
          </Badge>
        )}
        <span className="shrink-0 text-xs text-soft">{words[action]}</span>
      </Checkbox>
      {why && <p className="ml-6 text-xs text-faint">{why}</p>}
    </>
  );
}

function tellReverted(session: string, { files, undo }: Reverted): void {
  const count = files.filter((file) => file.action !== "none").length;
  const text =
    count === 1 ? "1 file is as it was before the turn." : `${count} files are as they were before the turn.`;
  const back = (revert: string) => () =>
    void client
      .call("undoRevert", { params: { id: session, revert } })
      .then(() => toast({ tone: "info", text: "The revert is taken back." }), toastError);
  toast({ tone: "info", text, ...(undo ? { action: { label: "Undo", run: back(undo) } } : {}) }, 15_000);
}
