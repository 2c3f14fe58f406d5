import type { SessionView } from "@gantry/protocol";
import { client } from "../store/connection/client.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";

/** Lets the session's agent act for the sessions that it started, or revokes that. */
export function LeadDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const isLead = useSession(session.id)?.lead === true;
  const { attempt, busy, problem } = useAttempt();
  const change = () =>
    attempt(async () => {
      storeSession((await client.sessions.patch(session.id, { lead: !isLead })).session);
      onClose();
    });
  return (
    <Dialog
      title="Lead"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look={isLead ? "danger" : "primary"} disabled={busy} onClick={change}>
            {isLead ? "Revoke" : "Make it a lead"}
          </Button>
        </>
      }
    >
      <p>
        {isLead
          ? "The agent of this session is a lead: it may do the following for the sessions that it started."
          : "The agent of a lead may do the following for the sessions that it started, without asking you."}
      </p>
      <ul className="my-3 list-disc pl-5 text-soft">
        <li>answer what they ask, and allow or deny single requests</li>
        <li>hand them off to other agents</li>
        <li>land their lanes on the base branch</li>
      </ul>
      <p className="text-soft">
        Permissions for a whole session, logins and secrets stay with you. It never acts for other sessions.
      </p>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
