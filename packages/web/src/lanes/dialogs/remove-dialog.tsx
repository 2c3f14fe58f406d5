import { GantryError, type Lane, type LaneRemoved } from "@gantry/protocol";
import { client } from "../../store/client.ts";
import { toast } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { atStake } from "../words.ts";

type RemoveDialogProps = { lane: Lane; onClose: () => void; onRemoved: () => void };

/** Removes a lane. What would be lost is named first, and kept in a hidden ref all the same. */
export function RemoveDialog({ lane, onClose, onRemoved }: RemoveDialogProps) {
  const { attempt, busy, problem } = useAttempt();
  const stakes = atStake(lane);
  const refused = problem instanceof GantryError && problem.code.startsWith("lane_");
  const force = stakes.length > 0 || refused;
  const remove = () =>
    attempt(async () => {
      tellKept(lane, await client.call("removeLane", { params: { id: lane.id }, query: force ? { force: "1" } : {} }));
      onRemoved();
    });
  return (
    <Dialog
      title={`Remove ${lane.name}`}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" disabled={busy} onClick={remove}>
            {force ? "Remove it anyway" : "Remove it"}
          </Button>
        </>
      }
    >
      <p>
        The folder <code className="font-mono text-xs break-all">{lane.path}</code> goes
        {lane.branch && (
          <>
            , and with it the branch <code className="font-mono text-xs break-all">{lane.branch}</code> if Gantry made
            it
          </>
        )}
        . Its sessions stay.
      </p>
      {stakes.length > 0 && (
        <>
          <p className="mt-3 font-medium text-need">Not safe elsewhere:</p>
          <ul className="ml-5 list-disc">
            {stakes.map((stake) => (
              <li key={stake}>{stake}</li>
            ))}
          </ul>
          <p className="mt-3 text-soft">
            Commits and files are kept in a hidden ref of the repository, so the lane can be brought back.
          </p>
        </>
      )}
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

function tellKept(lane: Lane, { undo, notices }: LaneRemoved): void {
  const back = undo && {
    label: "Bring it back",
    run: () =>
      void client.call("undoLane", { params: { id: lane.id } }).then(
        () => toast({ tone: "info", text: `${lane.name} is back.` }),
        (error: Error) => toast({ tone: "error", text: error.message }),
      ),
  };
  toast(
    { tone: "info", text: `${lane.name} is removed.`, remedy: notices[0], ...(back ? { action: back } : {}) },
    15_000,
  );
}
