import type { Landing, LandingHow, Lane } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Checkbox } from "../../ui/controls/checkbox.tsx";
import { Field, TextArea, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { ConflictList } from "../conflicts/conflict-list.tsx";
import { describeUncommitted } from "../lane-text.ts";

const methods: { how: LandingHow; name: string; about: string }[] = [
  { how: "merge", name: "Merge", about: "Merge commit" },
  { how: "squash", name: "Squash", about: "One commit" },
  { how: "rebase", name: "Rebase", about: "Commits on top" },
  { how: "pr", name: "Pull request", about: "Push for review" },
];

type LandDialogProps = { lane: Lane; onClose: () => void; onLanded: (landing: Landing) => void };

/** Lands a lane on its base. A refused landing changes nothing. */
export function LandDialog({ lane, onClose, onLanded }: LandDialogProps) {
  const [how, setHow] = useState<LandingHow>("merge");
  const [into, setInto] = useState(lane.base?.ref ?? "");
  const [message, setMessage] = useState("");
  const [remove, setRemove] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const land = () =>
    attempt(async () => {
      const text = message.trim();
      const landing = await client.call("landLane", {
        params: { id: lane.id },
        body: { how, remove, ...(into ? { into } : {}), ...(text ? { message: text } : {}) },
      });
      toastLanded(landing);
      onLanded(landing);
    });
  return (
    <Dialog
      title={`Land ${lane.name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || into === ""} onClick={land}>
            {busy ? "Landing…" : how === "pr" ? "Push" : `Land on ${into || "…"}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Methods chosen={how} onChoose={setHow} />
        <Field name="Target branch">
          <TextField label="Target branch" value={into} onChange={setInto} className="w-full font-mono" />
        </Field>
        <Field name="Message" about="Leave empty to generate it from the lane's sessions.">
          <TextArea label="Message" rows={3} value={message} onChange={setMessage} />
        </Field>
        {lane.dirty && <p className="text-soft">{describeUncommitted(lane)} will be committed in the lane first.</p>}
        <Checkbox checked={remove} onChange={setRemove}>
          Remove the lane after landing
        </Checkbox>
        <ConflictList lane={lane} />
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

function Methods({ chosen, onChoose }: { chosen: LandingHow; onChoose: (how: LandingHow) => void }) {
  return (
    <fieldset className="grid grid-cols-4 gap-1.5">
      <legend className="sr-only">Method</legend>
      {methods.map(({ how, name, about }) => (
        <label
          key={how}
          className="flex cursor-pointer flex-col rounded-md border border-line px-2.5 py-1.5 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name="how"
            value={how}
            checked={how === chosen}
            onChange={() => onChoose(how)}
            className="sr-only"
          />
          <span className="font-medium">{name}</span>
          <span className="text-xs text-soft">{about}</span>
        </label>
      ))}
    </fieldset>
  );
}

function toastLanded(landing: Landing): void {
  const { name, into, how, pr, notices, undo, id } = landing;
  const { told: notified } = landing; // prose-ignore: field of the API
  const conflicting = notified.filter(({ state }) => state === "conflict").length;
  const text = how === "pr" ? `Pushed ${name} to ${pr?.remote}/${pr?.branch}.` : `Landed ${name} on ${into}.`;
  const others =
    notified.length > 0 ? `${notified.length} other ${notified.length === 1 ? "lane was" : "lanes were"} notified` : "";
  const remedy = [
    pr?.url ?? pr?.open,
    others && (conflicting > 0 ? `${others}, ${conflicting} now in conflict.` : `${others}.`),
    notices[0],
  ]
    .filter(Boolean)
    .join(" ");
  const undoLanding = () =>
    void client
      .call("undoLanding", { params: { id } })
      .then(() => toast({ tone: "info", text: `Undone. ${into} is back at its previous commit.` }), toastError);
  toast({ tone: "info", text, remedy, ...(undo ? { action: { label: "Undo", run: undoLanding } } : {}) }, 15_000);
}
