import type { Lane } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";

/** Gives a lane another name. Its folder stays where it is. */
export function RenameDialog(props: { lane: Lane; onClose: () => void; onRenamed: () => void }) {
  const { lane, onClose, onRenamed } = props;
  const [name, setName] = useState(lane.name);
  const { attempt, busy, problem } = useAttempt();
  const rename = () =>
    attempt(() => client.call("patchLane", { params: { id: lane.id }, body: { name } }).then(onRenamed));
  return (
    <Dialog
      title="Rename the lane"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || name.trim() === ""} onClick={rename}>
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field name="Name" about="The folder stays where it is; the branch is renamed only if nothing was pushed.">
          <TextField label="Name" value={name} onChange={setName} maxLength={48} autoFocus className="w-full" />
        </Field>
        <ErrorMessage problem={problem} />
      </form>
    </Dialog>
  );
}
