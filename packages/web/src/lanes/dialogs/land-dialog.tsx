import type { Landing, LandingHow, Lane } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Checkbox } from "../../ui/controls/checkbox.tsx";
import { Field, fieldLook, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { Conflicts } from "../lane/conflicts.tsx";
import { uncommitted } from "../words.ts";

const ways: { how: LandingHow; name: string; about: string }[] = [
  { how: "merge", name: "Merge", about: "a merge commit" },
  { how: "squash", name: "Squash", about: "one commit" },
  { how: "rebase", name: "Rebase", about: "its commits on top" },
  { how: "pr", name: "Pull request", about: "pushed, for a review" },
];

type LandDialogProps = { lane: Lane; onClose: () => void; onLanded: (landing: Landing) => void };

/** Brings a lane's work to its base. A refusal has changed nothing. */
export function LandDialog({ lane, onClose, onLanded }: LandDialogProps) {
  const [how, setHow] = useState<LandingHow>("merge");
  const [into, setInto] = useState(lane.base?.ref ?? "");
  const [message, setMessage] = useState("");
  const [remove, setRemove] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const land = () =>
    attempt(async () => {
      const words = message.trim();
      const landing = await client.call("landLane", {
        params: { id: lane.id },
        body: { how, remove, ...(into ? { into } : {}), ...(words ? { message: words } : {}) },
      });
      tellLanded(landing);
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
            {busy ? "Landing …" : how === "pr" ? "Push it" : `Land on ${into || "…"}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Ways chosen={how} onChoose={setHow} />
        <Field name="Onto">
          <TextField label="Onto" value={into} onChange={setInto} className="w-full font-mono" />
        </Field>
        <Field name="Message" about="Left empty, it is made from the sessions that worked there.">
          <textarea
            aria-label="Message"
            rows={3}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            className={`${fieldLook} h-auto w-full py-1`}
          />
        </Field>
        {lane.dirty && <p className="text-soft">{uncommitted(lane)}: committed first, in the lane.</p>}
        <Checkbox checked={remove} onChange={setRemove}>
          Remove the lane afterwards
        </Checkbox>
        <Conflicts lane={lane} />
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

function Ways({ chosen, onChoose }: { chosen: LandingHow; onChoose: (how: LandingHow) => void }) {
  return (
    <fieldset className="grid grid-cols-4 gap-1.5">
      <legend className="sr-only">How</legend>
      {ways.map(({ how, name, about }) => (
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

function tellLanded(landing: Landing): void {
  const { name, into, how, pr, told, notices, undo, id } = landing;
  const moved = told.filter(({ state }) => state === "conflict").length;
  const text = how === "pr" ? `${name} is pushed to ${pr?.remote}/${pr?.branch}.` : `${name} is on ${into}.`;
  const others = told.length > 0 ? `${told.length} other ${told.length === 1 ? "lane was" : "lanes were"} told` : "";
  const remedy = [
    pr?.url ?? pr?.open,
    others && (moved > 0 ? `${others}, ${moved} now in conflict.` : `${others}.`),
    notices[0],
  ]
    .filter(Boolean)
    .join(" ");
  const back = () =>
    void client
      .call("undoLanding", { params: { id } })
      .then(() => toast({ tone: "info", text: `${into} is where it was before.` }), toastError);
  toast({ tone: "info", text, remedy, ...(undo ? { action: { label: "Take it back", run: back } } : {}) }, 15_000);
}
