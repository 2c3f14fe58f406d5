import type { Lane } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";

/** Renames a lane. Its folder keeps its path. */
export function RenameDialog(props: { lane: Lane; onClose: () => void; onRenamed: () => void }) {
  const { lane, onClose, onRenamed } = props;
  const [name, setName] = useState(lane.name);
  const { attempt, busy, problem } = useAttempt();
  const rename = () =>
    attempt(() => client.call("patchLane", { params: { id: lane.id }, body: { name } }).then(onRenamed));
  return (
    <Dialog
      title="Rename lane"
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
        <Field name="Name" about="The folder keeps its path. The branch is renamed only if it was never pushed.">
          <TextField label="Name" value={name} onChange={setName} maxLength={48} autoFocus className="w-full" />
        </Field>
        <ErrorMessage problem={problem} />
      </form>
    </Dialog>
  );
}
