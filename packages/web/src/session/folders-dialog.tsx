import type { SessionView } from "@gantry/protocol";
import { useState } from "react";
import { ExtraFolders } from "../composer/choices/extra-folders.tsx";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";

type FoldersDialogProps = { session: SessionView; onClose: () => void };

/** Changes the folders besides the session's own. The agent restarts with them for the next message. */
export function FoldersDialog({ session, onClose }: FoldersDialogProps) {
  const [folders, setFolders] = useState<string[]>(session.folders ?? []);
  const save = () =>
    client.sessions.patch(session.id, { folders }).then(({ session: next }) => {
      storeSession(next);
      onClose();
    }, toastError);
  return (
    <Dialog title="Folders" onClose={onClose}>
      <p className="text-soft">
        The agent works in <span className="font-mono text-xs">{session.cwd}</span> and, within the limits of its mode,
        in these folders. A change takes effect with the next message.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <ExtraFolders folders={folders} onChange={setFolders} />
      </div>
      <div className="mt-4 flex justify-end">
        <Button look="primary" disabled={session.turn !== undefined} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}
