import type { ComparedLane, Landing } from "@gantry/protocol";
import { Check } from "lucide-react";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { toast } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";

type Landed = Pick<Landing, "lane" | "name" | "into" | "how" | "pr">;

/** Shows which lane of a comparison has landed, and offers to remove the lanes. */
export function LandedBanner({
  landed,
  lanes,
  onChanged,
}: {
  landed: Landed;
  lanes: readonly ComparedLane[];
  onChanged: () => void;
}) {
  const [cleaning, setCleaning] = useState(false);
  const present = lanes.filter(({ error }) => error?.code !== "no_such_lane");
  const others = present.filter(({ lane }) => lane !== landed.lane);
  const where = landed.how === "pr" ? "is a pull request" : `landed on ${landed.into}`;
  return (
    <div role="status" className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-good-wash px-3 py-2">
      <Check size={14} aria-hidden="true" className="shrink-0 text-good" />
      <span className="min-w-40 grow">
        <b className="font-medium text-good">{landed.name}</b> {where}.
      </span>
      {present.length > 0 && (
        <Button onClick={() => setCleaning(true)}>
          Clean up{" "}
          {others.length === 0 ? "the lane" : others.length === 1 ? "1 other lane" : `${others.length} other lanes`}…
        </Button>
      )}
      {cleaning && (
        <CleanUpDialog lanes={present} winner={landed.lane} onClose={() => setCleaning(false)} onChanged={onChanged} />
      )}
    </div>
  );
}

type CleanUpDialogProps = {
  lanes: readonly ComparedLane[];
  /** The lane that landed. */
  winner: string;
  onClose: () => void;
  onChanged: () => void;
};

/** Removes lanes of a comparison. Their content is stored in hidden refs, so that each can be restored. */
function CleanUpDialog({ lanes: present, winner, onClose, onChanged }: CleanUpDialogProps) {
  const { attempt, busy, problem } = useAttempt();
  const hasOthers = present.some(({ lane }) => lane !== winner);
  const [withWinner, setWithWinner] = useState(!hasOthers);
  const lanes = present.filter(({ lane }) => withWinner || lane !== winner);
  const remove = () =>
    attempt(async () => {
      try {
        for (const { lane } of lanes) await client.call("removeLane", { params: { id: lane }, query: { force: "1" } });
        const count = lanes.length === 1 ? "1 lane" : `${lanes.length} lanes`;
        toast({ tone: "info", text: `Removed ${count}.`, remedy: "Lanes → Recently removed restores them." });
        onClose();
      } finally {
        onChanged();
      }
    });
  return (
    <Dialog
      title="Clean up lanes"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" disabled={busy} onClick={remove}>
            Remove {lanes.length === 1 ? "1 lane" : `${lanes.length} lanes`}
          </Button>
        </>
      }
    >
      <p>This removes the folders and branches of these lanes. Their sessions stay, and each lane can be restored.</p>
      <ul className="mt-2 list-disc pl-5">
        {lanes.map(({ lane, name, diff }) => (
          <li key={lane}>
            {name}
            {diff.files.length > 0 && (
              <span className="text-soft">
                {" "}
                · {diff.files.length === 1 ? "1 changed file" : `${diff.files.length} changed files`}
              </span>
            )}
          </li>
        ))}
      </ul>
      {hasOthers && present.some(({ lane }) => lane === winner) && (
        <div className="mt-3">
          <Checkbox checked={withWinner} onChange={setWithWinner}>
            Also remove the lane that landed
          </Checkbox>
        </div>
      )}
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
