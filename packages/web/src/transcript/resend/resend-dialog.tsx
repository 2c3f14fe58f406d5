import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../../store/connection/client.ts";
import { useSession } from "../../store/sessions/hooks.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextArea } from "../../ui/controls/field.tsx";
import { Select } from "../../ui/controls/select.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { rowSeq, type UserRow } from "../rows/row.ts";
import { useTranscript } from "../view/context.ts";
import { type ResendFiles, resendMessage } from "./resend.ts";

const choices = [
  { value: "lane", label: "A new lane with the files of that point" },
  { value: "here", label: "This folder, its files set back to that point" },
  { value: "none", label: "This folder with its current files" },
];

/** Changes a sent message and sends it again from the point before it, in a new session. */
export function ResendDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { session } = useTranscript();
  const view = useSession(session);
  const [text, setText] = useState(row.text);
  const [files, setFiles] = useState<ResendFiles>("lane");
  const { attempt, busy, problem } = useAttempt();
  const [, go] = useLocation();
  const seq = rowSeq(row) ?? 0;
  const { value: turns } = useQuery(session, () => client.turns.list(session));
  const hasTurnBefore = turns?.some((turn) => turn.seq < seq) ?? false;
  const send = () =>
    attempt(async () => {
      if (!view) return;
      const { attachments } = row;
      go(`/s/${await resendMessage({ session: view, seq, hasTurnBefore, text, attachments, files })}`);
      onClose();
    });
  return (
    <Dialog
      title="Edit and resend"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || !turns || text.trim() === ""} onClick={send}>
            {busy ? "Sending…" : "Send in a new session"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field name="Message">
          <TextArea label="Edited message" rows={6} value={text} onChange={setText} />
        </Field>
        {hasTurnBefore && (
          <Field name="Files">
            <Select
              label="Files"
              value={files}
              choices={choices}
              onChoose={(value) => setFiles(value as ResendFiles)}
              className="max-w-full"
            />
          </Field>
        )}
        <p className="text-soft">
          {hasTurnBefore
            ? "A new session continues from before this message. This session does not change."
            : "A new session starts with this message and the same settings. This session and the files do not change."}
        </p>
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
