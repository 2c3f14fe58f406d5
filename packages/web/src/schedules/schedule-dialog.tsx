import type { Delivery, Schedule } from "@gantry/protocol";
import { type ReactNode, useEffect, useState } from "react";
import { AttachButton } from "../composer/box/attach-button.tsx";
import { DraftParts } from "../composer/box/draft-parts.tsx";
import { agents, scanAgents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { clearDraft, draftOf, restoreDraft, setDraftText } from "../store/outgoing/drafts.ts";
import { lastPlace } from "../store/outgoing/last-choices.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextArea, TextField } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { changesOf, draftOfSchedule, newSchedule, type ScheduleDraft, type ScheduledText } from "./schedule-draft.ts";
import { TemplateFields } from "./template-fields.tsx";
import { inMinutes } from "./timing.ts";
import { loadSchedules } from "./use-schedules.ts";
import { WhenField } from "./when-field.tsx";

/** The draft that holds the message and the files of the dialog. Only one dialog is open at a time. */
const DRAFT = "schedule";

type NewScheduleDialogProps = {
  /** The session that gets the message. Without one, each run starts a session. */
  session?: string;
  create?: ScheduleDraft["create"];
  message?: ScheduledText;
  onClose: () => void;
  onDone: () => void;
};

/** Schedules a message to a session, or sessions that start with it. */
export function NewScheduleDialog({ session, create, message, onClose, onDone }: NewScheduleDialogProps) {
  const template = useTemplate(create);
  const [own, setDraft] = useState<ScheduleDraft>(() => ({
    when: { kind: "at", at: inMinutes(60) },
    delivery: "queue",
    note: "",
  }));
  const draft = session === undefined ? { ...own, create: own.create ?? template } : own;
  const text = useMessage(message);
  const { attempt, busy, problem } = useAttempt();
  const body = newSchedule(draft, text, session);
  const add = () =>
    attempt(async () => {
      if (body) await client.schedules.add(body);
      await loadSchedules();
      onDone();
    });
  return (
    <ScheduleForm
      title={session === undefined ? "Schedule a session" : "Send later"}
      {...{ session, draft, problem, onClose }}
      onChange={(patch) => setDraft((before) => ({ ...before, ...patch }))}
      action={
        <Button look="primary" disabled={busy || !body} onClick={add}>
          Schedule
        </Button>
      }
    />
  );
}

/** The folder of the last session with the agent and the mode of its defaults. */
function useTemplate(create: ScheduleDraft["create"]): NonNullable<ScheduleDraft["create"]> {
  const rows = useCell(agents);
  const { cwd } = useCell(lastPlace);
  const { value: defaults } = useQuery(`defaults ${cwd}`, () => client.defaults.get(cwd ? { cwd } : {}));
  useEffect(() => {
    if (agents.get().length === 0) void scanAgents();
  }, []);
  const ready = rows.filter(({ state }) => state === "ready");
  const agent = ready.find(({ id }) => id === defaults?.agent)?.id ?? ready[0]?.id ?? "";
  return create ?? { agent, mode: defaults?.mode ?? "ask", cwd };
}

type ChangeScheduleDialogProps = { schedule: Schedule; onClose: () => void };

/** Changes the message, the time, the delivery and the note of a schedule. */
export function ChangeScheduleDialog({ schedule, onClose }: ChangeScheduleDialogProps) {
  const [draft, setDraft] = useState(() => draftOfSchedule(schedule));
  const message = useMessage(schedule);
  const { attempt, busy, problem } = useAttempt();
  const changes = changesOf(schedule, draft, message);
  const run = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work();
      await loadSchedules();
      onClose();
    });
  return (
    <ScheduleForm
      title="Change schedule"
      session={schedule.session}
      {...{ draft, problem, onClose }}
      isFixed
      onChange={(patch) => setDraft((before) => ({ ...before, ...patch }))}
      action={
        <Button
          look="primary"
          disabled={busy || !changes}
          onClick={() => changes && run(() => client.schedules.change(schedule.id, changes))}
        >
          Save
        </Button>
      }
    />
  );
}

/** Fills the dialog's draft with the message and returns what it contains now. The draft is cleared with the dialog. */
function useMessage(message: ScheduledText | undefined): ScheduledText {
  const { text } = useCell(draftOf(DRAFT).body);
  const files = useCell(draftOf(DRAFT).files);
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled once, when the dialog opens.
  useEffect(() => {
    clearDraft(DRAFT);
    if (message) restoreDraft(DRAFT, message.text, message.attachments);
    return () => clearDraft(DRAFT);
  }, []);
  return { text, ...(files.length > 0 ? { attachments: files.map(({ attachment }) => attachment) } : {}) };
}

const deliveries = [
  { value: "queue", label: "After a running turn" },
  { value: "auto", label: "Into a running turn, if the agent accepts it" },
  { value: "interrupt", label: "Stop a running turn first" },
];

type ScheduleFormProps = {
  title: string;
  session: string | undefined;
  draft: ScheduleDraft;
  /** Whether the session of each run is shown only: a schedule stays with it. */
  isFixed?: boolean;
  problem: unknown;
  action: ReactNode;
  onChange: (patch: Partial<ScheduleDraft>) => void;
  onClose: () => void;
};

function ScheduleForm({ title, session, draft, isFixed, problem, action, onChange, onClose }: ScheduleFormProps) {
  const { when, delivery, note, create } = draft;
  const { text } = useCell(draftOf(DRAFT).body);
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      {action}
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <div className="flex flex-col gap-3">
        <Field name="Message">
          <TextArea label="Scheduled message" rows={4} value={text} onChange={(value) => setDraftText(DRAFT, value)} />
          <div className="-ml-1.5 flex flex-wrap items-end">
            <AttachButton draft={DRAFT} />
            <DraftParts draft={DRAFT} />
          </div>
        </Field>
        <Field name="When">
          <WhenField session={session} when={when} onChange={(next) => onChange({ when: next })} />
        </Field>
        {session !== undefined && (
          <Field name="Delivery">
            <Select
              label="Delivery"
              value={delivery === "steer" ? "auto" : delivery}
              choices={deliveries}
              onChoose={(chosen) => onChange({ delivery: chosen as Delivery })}
            />
          </Field>
        )}
        {create && !isFixed && (
          <TemplateFields create={create} onChange={(patch) => onChange({ create: { ...create, ...patch } })} />
        )}
        <Field name="Note">
          <TextField
            label="Note"
            placeholder="Shown in lists instead of the message"
            maxLength={1000}
            value={note}
            onChange={(value) => onChange({ note: value })}
            className="w-full"
          />
        </Field>
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}
