import type { SessionView } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextField } from "../ui/controls/field.tsx";
import { formatDollars } from "../ui/display/format.ts";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";

/** Sets the budget of a session. When it is used up, the next turn is held. */
export function BudgetDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const [usd, setUsd] = useState(session.budget ? String(session.budget.usd) : "");
  const { attempt, busy, problem } = useAttempt();
  const value = Number(usd);
  const valid = usd.trim() === "" || (Number.isFinite(value) && value > 0);
  const save = () =>
    attempt(async () => {
      const budget = usd.trim() === "" ? null : { usd: value };
      const { session: next } = await client.sessions.patch(session.id, { budget });
      storeSession(next);
      onClose();
    });
  return (
    <Dialog
      title="Session budget"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || !valid} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <Field name="US dollars" about="Leave empty to use the default from Settings.">
        <TextField label="US dollars" inputMode="decimal" value={usd} onChange={setUsd} autoFocus className="w-32" />
      </Field>
      <p className="mt-3 text-soft">
        {session.cost ? `Spent so far: ${formatDollars(session.cost.usd)}.` : "The cost so far is unknown."} When the
        budget is used up, the next turn is held and your message stays queued.
      </p>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
