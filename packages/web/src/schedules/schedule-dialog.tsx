import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, fieldLook, TextArea, TextField } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { inMinutes, toTiming, type When } from "./timing.ts";
import { loadSchedules } from "./use-schedules.ts";

const kinds = [
  { value: "at", label: "At a time" },
  { value: "every", label: "Repeatedly" },
  { value: "after", label: "When another session ends" },
];

type ScheduleDialogProps = { session: string; text: string; onClose: () => void; onDone: () => void };

/** Schedules a message: at a time, repeatedly, or when another session ends. */
export function ScheduleDialog({ session, text: draft, onClose, onDone }: ScheduleDialogProps) {
  const [text, setText] = useState(draft);
  const [when, setWhen] = useState<When>(() => ({ kind: "at", at: inMinutes(60) }));
  const { attempt, busy, problem } = useAttempt();
  const timing = toTiming(when);
  const add = () =>
    attempt(async () => {
      await client.schedules.add({ session, text, ...timing });
      await loadSchedules();
      onDone();
    });
  return (
    <Dialog
      title="Send later"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || !timing || text.trim() === ""} onClick={add}>
            Schedule
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field name="Message">
          <TextArea label="Scheduled message" rows={4} value={text} onChange={setText} />
        </Field>
        <Field name="When">
          <div className="flex flex-wrap items-center gap-1.5">
            <Select label="When" value={when.kind} choices={kinds} onChoose={(kind) => setWhen(defaultTiming(kind))} />
            <WhenField session={session} when={when} onChange={setWhen} />
          </div>
        </Field>
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

function defaultTiming(kind: string): When {
  if (kind === "every") return { kind, every: "1h" };
  return kind === "after" ? { kind, session: "", outcome: "any" } : { kind: "at", at: inMinutes(60) };
}

function WhenField({ session, when, onChange }: { session: string; when: When; onChange: (when: When) => void }) {
  const others = useSessions().filter((other) => other.id !== session && !other.archived);
  if (when.kind === "at")
    return (
      <input
        type="datetime-local"
        aria-label="Time"
        value={when.at}
        onChange={(event) => onChange({ kind: "at", at: event.target.value })}
        className={fieldLook}
      />
    );
  if (when.kind === "every")
    return (
      <>
        <TextField
          label="Interval"
          value={when.every}
          onChange={(every) => onChange({ kind: "every", every })}
          className="w-36 font-mono"
        />
        <span className="text-xs text-faint">30m, 2h, 1d, or a cron expression: 0 9 * * 1-5</span>
      </>
    );
  return (
    <Select
      label="Session"
      value={when.session}
      choices={[
        { value: "", label: "Choose a session" },
        ...others.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      onChoose={(id) => onChange({ ...when, session: id })}
    />
  );
}
