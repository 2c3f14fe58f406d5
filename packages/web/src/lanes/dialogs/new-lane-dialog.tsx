import { useState } from "react";
import { FolderPicker } from "../../composer/choices/folder-picker.tsx";
import { client } from "../../store/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";

type NewLaneDialogProps = { cwd: string | undefined; onClose: () => void; onMade: () => void };

/** Makes a work tree beside the repository's own. */
export function NewLaneDialog({ cwd, onClose, onMade }: NewLaneDialogProps) {
  const [folder, setFolder] = useState(cwd);
  const [name, setName] = useState("");
  const [base, setBase] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const make = () =>
    attempt(async () => {
      await client.call("createLane", {
        body: { cwd: folder, name: name.trim() || undefined, base: base.trim() || undefined },
      });
      onMade();
      onClose();
    });
  return (
    <Dialog
      title="New lane"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || !folder} onClick={make}>
            {busy ? "Being made …" : "Make it"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (folder) make();
        }}
      >
        <Field name="Repository">
          <FolderPicker folder={folder} onChoose={setFolder} />
        </Field>
        <Field name="Name" about="Its branch is called after it. Left empty, one is made up.">
          <TextField label="Name" value={name} onChange={setName} maxLength={48} autoFocus className="w-full" />
        </Field>
        <Field name="Begin from" about="A branch or a commit. Left empty: what is checked out in the repository.">
          <TextField label="Begin from" value={base} onChange={setBase} maxLength={250} className="w-full font-mono" />
        </Field>
        <button type="submit" hidden />
      </form>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
