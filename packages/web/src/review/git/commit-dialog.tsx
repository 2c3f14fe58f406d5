import type { CommitPlan, FileChange, StagedFile } from "@gantry/protocol";
import { useState } from "react";
import { DiffCount } from "../../diff/diff-count.tsx";
import { client } from "../../store/connection/client.ts";
import { toast } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Checkbox } from "../../ui/controls/checkbox.tsx";
import { Field, TextArea } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { ExactText } from "../../ui/text/exact-text.tsx";
import { nameOf } from "../rows.ts";
import { withToggled } from "../use-row-actions.ts";

type CommitDialogProps = { session: string; plan: CommitPlan; onClose: () => void; onCommitted: () => void };

/** The number of files with a checkbox each. More are committed together. */
const LISTED = 300;

/** Commits what is staged, the uncommitted files, or a selection of them. */
export function CommitDialog({ session, plan, onClose, onCommitted }: CommitDialogProps) {
  const { value: changes, error } = useQuery(session, () => client.changes.list(session, { from: "head" }));
  const [message, setMessage] = useState(plan.message);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [push, setPush] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const [onlyStaged, setOnlyStaged] = useState(plan.staged.length > 0);
  const files = changes?.files ?? [];
  const chosen = files.filter((file) => !excluded.has(nameOf(file)));
  const count = onlyStaged ? plan.staged.length : chosen.length;
  const commit = () =>
    attempt(async () => {
      const paths = chosen.flatMap(({ path, to }) => (to ? [path, to] : [path]));
      const selected = excluded.size === 0 ? { all: true as const } : { paths };
      const what = onlyStaged ? { staged: true as const } : selected;
      const { commit: id, notices, pushed } = await client.changes.commit(session, { message, push, ...what });
      const remedy = notices.join(" ");
      const text = `Committed ${id.slice(0, 10)}${pushed ? ` and pushed to ${pushed}` : ""}.`;
      toast({ tone: "info", text, ...(remedy ? { remedy } : {}) });
      onCommitted();
    });
  const toggle = (name: string) => setExcluded((names) => withToggled(names, name));
  return (
    <Dialog
      title={plan.branch ? `Commit on ${plan.branch}` : "Commit"}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || count === 0 || message.trim() === ""} onClick={commit}>
            {busy ? "Committing…" : `Commit ${count === 1 ? "1 file" : `${count} files`}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field name="Message">
          <TextArea label="Message" rows={4} value={message} onChange={setMessage} />
        </Field>
        {plan.staged.length > 0 && (
          <Checkbox checked={onlyStaged} onChange={setOnlyStaged}>
            Only what is staged
          </Checkbox>
        )}
        {onlyStaged && <StagedList staged={plan.staged} />}
        {!onlyStaged && changes && <FileList files={files} excluded={excluded} onToggle={toggle} />}
        {!onlyStaged && !changes && error === undefined && <p className="text-faint">Comparing files…</p>}
        {plan.remotes.length > 0 && (
          <Checkbox checked={push} onChange={setPush}>
            Push to {plan.upstream ?? plan.remotes[0]} afterwards
          </Checkbox>
        )}
      </div>
      <ErrorMessage problem={problem ?? error} />
    </Dialog>
  );
}

function StagedList({ staged }: { staged: readonly StagedFile[] }) {
  return (
    <ul aria-label="Staged files" className="max-h-60 overflow-y-auto rounded-md border border-line p-2">
      {staged.slice(0, LISTED).map(({ path, partly }) => (
        <li key={path} className="truncate font-mono text-xs">
          <ExactText text={path} />
          {partly && <span className="font-sans text-faint"> · partly</span>}
        </li>
      ))}
      {staged.length > LISTED && <li className="text-faint">and {staged.length - LISTED} more files</li>}
    </ul>
  );
}

type FileListProps = {
  files: readonly FileChange[];
  excluded: ReadonlySet<string>;
  onToggle: (name: string) => void;
};

function FileList({ files, excluded, onToggle }: FileListProps) {
  return (
    <ul aria-label="Files" className="max-h-60 overflow-y-auto rounded-md border border-line p-2">
      {files.slice(0, LISTED).map((file) => (
        <li key={nameOf(file)}>
          <FileLine file={file} chosen={!excluded.has(nameOf(file))} onToggle={() => onToggle(nameOf(file))} />
        </li>
      ))}
      {files.length > LISTED && <li className="text-faint">and {files.length - LISTED} more files</li>}
    </ul>
  );
}

function FileLine({ file, chosen, onToggle }: { file: FileChange; chosen: boolean; onToggle: () => void }) {
  return (
    <Checkbox checked={chosen} onChange={onToggle}>
      <span className="min-w-0 grow truncate font-mono text-xs">
        <ExactText text={nameOf(file)} />
      </span>
      <span className="text-xs">{!file.binary && <DiffCount changes={[file]} />}</span>
    </Checkbox>
  );
}
