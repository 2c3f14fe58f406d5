import { GantryError, type Lane, type LaneRemoved } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { toast } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { removalLosses } from "../lane-text.ts";

type RemoveDialogProps = { lane: Lane; onClose: () => void; onRemoved: () => void };

/** Removes a lane. Lists what would be lost; that is also stored in a hidden git ref, so the removal can be undone. */
export function RemoveDialog({ lane, onClose, onRemoved }: RemoveDialogProps) {
  const { attempt, busy, problem } = useAttempt();
  const losses = removalLosses(lane);
  const refused = problem instanceof GantryError && problem.code.startsWith("lane_");
  const force = losses.length > 0 || refused;
  const remove = () =>
    attempt(async () => {
      toastRemoved(
        lane,
        await client.call("removeLane", { params: { id: lane.id }, query: force ? { force: "1" } : {} }),
      );
      onRemoved();
    });
  return (
    <Dialog
      title={`Remove ${lane.name}`}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" disabled={busy} onClick={remove}>
            {force ? "Remove anyway" : "Remove"}
          </Button>
        </>
      }
    >
      <p>
        This deletes the folder <code className="font-mono text-xs break-all">{lane.path}</code>
        {lane.branch && (
          <>
            {" "}
            and, if Gantry created it, the branch <code className="font-mono text-xs break-all">{lane.branch}</code>
          </>
        )}
        . The lane's sessions remain.
      </p>
      {losses.length > 0 && (
        <>
          <p className="mt-3 font-medium text-need">This lane has:</p>
          <ul className="ml-5 list-disc">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
          <p className="mt-3 text-soft">
            Commits and files are saved in the repository, so you can restore the lane later.
          </p>
        </>
      )}
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

function toastRemoved(lane: Lane, { undo, notices }: LaneRemoved): void {
  const restore = undo && {
    label: "Undo",
    run: () =>
      void client.call("undoLane", { params: { id: lane.id } }).then(
        () => toast({ tone: "info", text: `Restored ${lane.name}.` }),
        (error: Error) => toast({ tone: "error", text: error.message }),
      ),
  };
  toast(
    { tone: "info", text: `Removed ${lane.name}.`, remedy: notices[0], ...(restore ? { action: restore } : {}) },
    15_000,
  );
}
