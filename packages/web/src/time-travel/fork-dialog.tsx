import type { ForkSession, PastSession, TurnRow } from "@gantry/protocol";
import { GitFork } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { agentChoices } from "../composer/choices/choices.ts";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { newId } from "../store/outgoing/outbox.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { forkPlaces } from "./fork-places.ts";

type ForkDialogProps = { past: PastSession; turns: readonly TurnRow[]; onClose: () => void };

const files = [
  { value: "lane", label: "Files of that turn, in a new lane" },
  { value: "here", label: "Files of that turn, restored in this folder" },
  { value: "none", label: "The current files of this folder" },
];

/** Creates a session that continues from a moment, with the same or another agent. */
export function ForkDialog({ past, turns, onClose }: ForkDialogProps) {
  const [, go] = useLocation();
  const rows = useCell(agents);
  const places = forkPlaces(turns, past.moment.seq);
  const [agent, setAgent] = useState(past.agent);
  const [at, setAt] = useState<string>();
  const [kind, setKind] = useState(past.checkpoint ? "lane" : "none");
  const [id] = useState(() => newId("session"));
  const { attempt, busy, problem } = useAttempt();
  const place = places.find(({ value }) => value === at) ?? places[0];
  const fork = () =>
    attempt(async () => {
      const body: ForkSession = { id, at: Number(place?.value), agent, files: kind as ForkSession["files"] };
      const made = await client.sessions.fork(past.id, body);
      storeSession(made);
      go(`/s/${made.id}`);
    });
  return (
    <Dialog
      title="Fork from here"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon={<GitFork size={14} />} disabled={busy || !place} onClick={fork}>
            {busy ? "Forking…" : `Fork to ${agentName(rows, agent)}`}
          </Button>
        </>
      }
    >
      {place ? (
        <div className="flex flex-col gap-4">
          <p className="text-soft">
            A new session continues from this point. This session does not change. A fork starts after a whole turn.
          </p>
          <Field name="Agent">
            <Select label="Agent" value={agent} choices={agentChoices(rows)} onChoose={setAgent} />
          </Field>
          <Field name="From">
            <Select label="From" value={place.value} choices={places} onChoose={setAt} />
          </Field>
          <Field name="Files">
            <Select label="Files" value={kind} choices={files} onChoose={setKind} />
          </Field>
        </div>
      ) : (
        <p className="text-soft">No turn has ended at this moment, so there is nothing to continue from.</p>
      )}
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
