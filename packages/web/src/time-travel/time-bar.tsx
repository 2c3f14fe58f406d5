import type { PastSession, TurnRow } from "@gantry/protocol";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, GitFork, Link2, X } from "lucide-react";
import type { CSSProperties, KeyboardEvent, ReactNode } from "react";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { seqOfTurn } from "./fork-places.ts";
import { pastPath } from "./past-address.ts";

const MAX_MARKS = 120;

type TimeBarProps = {
  session: string;
  seq: number;
  end: number;
  /** The moment that is loaded, which may not be that of `seq` yet. */
  past?: PastSession;
  turns: readonly TurnRow[];
  onMove: (seq: number) => void;
  onFork: () => void;
  onLeave: () => void;
};

/** The slider over a log: by pointer, touch and keyboard, by event and by turn. */
export function TimeBar(props: TimeBarProps) {
  const { seq, end, turns, onMove } = props;
  const step = { seq, onMove };
  const turnBack = seqOfTurn(turns, seq, -1, end);
  const turnOn = seqOfTurn(turns, seq, 1, end);
  return (
    <section aria-label="Time travel" className="shrink-0 border-t border-line bg-page px-4 pt-2 pb-3">
      <MomentLine {...props} />
      <div className="mt-1 flex items-center gap-1">
        <Step label="Previous turn" icon={<ChevronsLeft size={16} />} to={turnBack} {...step} />
        <Step label="Previous event" icon={<ChevronLeft size={16} />} to={Math.max(1, seq - 1)} {...step} />
        <div className="relative min-w-0 grow">
          <TurnMarks turns={turns} end={end} />
          <EventSlider {...props} />
        </div>
        <Step label="Next event" icon={<ChevronRight size={16} />} to={Math.min(end, seq + 1)} {...step} />
        <Step label="Next turn" icon={<ChevronsRight size={16} />} to={turnOn} {...step} />
      </div>
    </section>
  );
}

/** The event as text, and the actions from it. */
function MomentLine({ session, seq, end, past, onFork, onLeave }: TimeBarProps) {
  const moment = past?.moment.seq === seq ? past.moment : undefined;
  const copy = () =>
    navigator.clipboard
      .writeText(location.origin + pastPath(session, seq))
      .then(() => toast({ tone: "info", text: "Link to this moment copied." }, 1500), toastError);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 grow truncate text-soft" aria-live="polite">
        <b className="font-medium text-ink tabular-nums">
          Event {seq.toLocaleString("en")} of {end.toLocaleString("en")}
        </b>
        {moment && ` · ${describeType(moment.type)} · ${new Date(moment.at).toLocaleString()}`}
      </p>
      <div className="flex items-center gap-1">
        <Button
          look="quiet"
          label="Copy a link to this moment"
          icon={<Link2 size={15} />}
          onClick={() => void copy()}
        />
        <Button icon={<GitFork size={14} />} disabled={!moment} onClick={onFork}>
          Fork from here…
        </Button>
        <Button icon={<X size={14} />} keys="escape" onClick={onLeave}>
          Back to now
        </Button>
      </div>
    </div>
  );
}

function EventSlider({ seq, end, past, turns, onMove }: TimeBarProps) {
  const type = past?.moment.seq === seq ? `, ${describeType(past.moment.type)}` : "";
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { PageUp: 1, PageDown: -1 }[event.key] as 1 | -1 | undefined;
    if (!step) return;
    event.preventDefault();
    onMove(seqOfTurn(turns, seq, step, end));
  };
  return (
    <input
      type="range"
      aria-label="Event"
      aria-valuetext={`Event ${seq} of ${end}${type}`}
      min={1}
      max={end}
      step={1}
      value={seq}
      onChange={(event) => onMove(event.target.valueAsNumber)}
      onKeyDown={onKeyDown}
      style={{ "--done": `${end > 1 ? ((seq - 1) / (end - 1)) * 100 : 100}%` } as CSSProperties}
      className="time-slider relative block h-7 w-full pointer-coarse:h-11"
    />
  );
}

type StepProps = { label: string; icon: ReactNode; to: number; seq: number; onMove: (seq: number) => void };

function Step({ label, icon, to, seq, onMove }: StepProps) {
  return <Button look="quiet" label={label} icon={icon} disabled={to === seq} onClick={() => onMove(to)} />;
}

/** Where turns start. A long session shows only some of them. */
function TurnMarks({ turns, end }: { turns: readonly TurnRow[]; end: number }) {
  const every = Math.ceil(turns.length / MAX_MARKS);
  const shown = turns.filter((_, index) => index % every === 0);
  return (
    <div aria-hidden="true" className="absolute inset-x-2 top-0 h-1.5">
      {shown.map(({ turn, seq }) => (
        <span
          key={turn}
          style={{ left: `${end > 1 ? ((seq - 1) / (end - 1)) * 100 : 0}%` }}
          className="absolute h-full w-px bg-line-strong"
        />
      ))}
    </div>
  );
}

/** `tool.ended` → `Tool ended`. */
function describeType(type: string): string {
  const text = type.replaceAll(/[._]/g, " ");
  return (text[0]?.toUpperCase() ?? "") + text.slice(1);
}
