import { useState } from "react";
import { FolderPicker } from "../../composer/choices/folder-picker.tsx";
import { client } from "../../store/connection/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";

type NewLaneDialogProps = { cwd: string | undefined; onClose: () => void; onCreated: () => void };

/** Creates a git worktree next to the repository. */
export function NewLaneDialog({ cwd, onClose, onCreated }: NewLaneDialogProps) {
  const [folder, setFolder] = useState(cwd);
  const [name, setName] = useState("");
  const [base, setBase] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const create = () =>
    attempt(async () => {
      await client.call("createLane", {
        body: { cwd: folder, name: name.trim() || undefined, base: base.trim() || undefined },
      });
      onCreated();
      onClose();
    });
  return (
    <Dialog
      title="New lane"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || !folder} onClick={create}>
            {busy ? "Creating…" : "Create"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (folder) create();
        }}
      >
        <Field name="Repository">
          <FolderPicker folder={folder} onChoose={setFolder} />
        </Field>
        <Field name="Name" about="Also used for the branch. Leave empty for a generated name.">
          <TextField label="Name" value={name} onChange={setName} maxLength={48} autoFocus className="w-full" />
        </Field>
        <Field name="Start from" about="A branch or commit. Leave empty for the repository's current checkout.">
          <TextField label="Start from" value={base} onChange={setBase} maxLength={250} className="w-full font-mono" />
        </Field>
        <button type="submit" hidden />
      </form>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
