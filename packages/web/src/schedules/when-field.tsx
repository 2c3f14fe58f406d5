import { useSessions } from "../store/sessions/hooks.ts";
import { fieldLook, TextField } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { inMinutes, type When } from "./timing.ts";

const kinds = [
  { value: "at", label: "At a time" },
  { value: "every", label: "Repeatedly" },
  { value: "after", label: "When another session ends" },
];

const outcomes = [
  { value: "any", label: "With any outcome" },
  { value: "completed", label: "If it completes" },
  { value: "failed", label: "If it fails" },
];

type WhenFieldProps = {
  /** The session that gets the message, which cannot wait for itself. */
  session: string | undefined;
  when: When;
  onChange: (when: When) => void;
};

/** When a schedule runs: at a time, repeatedly, or when another session ends. */
export function WhenField({ session, when, onChange }: WhenFieldProps) {
  return (
    <div className="-ml-1.5 flex flex-wrap items-center gap-1.5">
      <Select label="When" value={when.kind} choices={kinds} onChoose={(kind) => onChange(defaultTiming(kind))} />
      {when.kind === "at" && (
        <input
          type="datetime-local"
          aria-label="Time"
          value={when.at}
          onChange={(event) => onChange({ kind: "at", at: event.target.value })}
          className={fieldLook}
        />
      )}
      {when.kind === "every" && (
        <>
          <TextField
            label="Interval"
            value={when.every}
            onChange={(every) => onChange({ kind: "every", every })}
            className="w-36 font-mono"
          />
          <span className="pl-1.5 text-xs text-faint">30m, 2h, 1d, or a cron expression: 0 9 * * 1-5</span>
        </>
      )}
      {when.kind === "after" && <AfterFields session={session} when={when} onChange={onChange} />}
    </div>
  );
}

function defaultTiming(kind: string): When {
  if (kind === "every") return { kind, every: "1h" };
  return kind === "after" ? { kind, session: "", outcome: "any" } : { kind: "at", at: inMinutes(60) };
}

type AfterFieldsProps = Omit<WhenFieldProps, "when"> & { when: Extract<When, { kind: "after" }> };

function AfterFields({ session, when, onChange }: AfterFieldsProps) {
  const others = useSessions().filter(({ id, archived }) => id !== session && (!archived || id === when.session));
  return (
    <>
      <Select
        label="Session"
        value={when.session}
        className="max-w-full"
        choices={[
          { value: "", label: "Choose a session" },
          ...others.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChoose={(id) => onChange({ ...when, session: id })}
      />
      <Select
        label="Outcome"
        value={when.outcome}
        choices={outcomes}
        onChoose={(outcome) => onChange({ ...when, outcome: outcome as typeof when.outcome })}
      />
    </>
  );
}
