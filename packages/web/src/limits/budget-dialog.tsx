import type { SessionView } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../store/client.ts";
import { takeSession } from "../store/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextField } from "../ui/controls/field.tsx";
import { formatDollars } from "../ui/display/format.ts";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";

/** What a session may cost. It stops before the turn that would go beyond. */
export function BudgetDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const [usd, setUsd] = useState(session.budget ? String(session.budget.usd) : "");
  const { attempt, busy, problem } = useAttempt();
  const value = Number(usd);
  const valid = usd.trim() === "" || (Number.isFinite(value) && value > 0);
  const save = () =>
    attempt(async () => {
      const budget = usd.trim() === "" ? null : { usd: value };
      const { session: next } = await client.sessions.patch(session.id, { budget });
      takeSession(next);
      onClose();
    });
  return (
    <Dialog
      title="Budget of the session"
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
      <Field name="US dollars" about="Left empty: what every session may cost, see the settings of the daemon.">
        <TextField label="US dollars" inputMode="decimal" value={usd} onChange={setUsd} autoFocus className="w-32" />
      </Field>
      <p className="mt-3 text-soft">
        {session.cost
          ? `It has cost ${formatDollars(session.cost.usd)} so far.`
          : "What it has cost so far is not known."}{" "}
        Before a turn begins that would go beyond, the session stops and keeps your message.
      </p>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
