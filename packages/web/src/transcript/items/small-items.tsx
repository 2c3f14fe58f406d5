import { Binary, CircleAlert, Gauge, Hourglass, Info, Scissors, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { client } from "../../store/client.ts";
import { toastError } from "../../store/toasts.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatCount } from "../../ui/display/format.ts";
import { Exact } from "../output/exact.tsx";
import type { CompactedRow, LimitRow, NoteRow, RawRow, StalledRow } from "../rows/row.ts";
import { useTranscript } from "../view/context.ts";
import { Line } from "./line.tsx";

const noteLooks = {
  plain: ["plain", <Info key="plain" size={13} />],
  warning: ["need", <TriangleAlert key="warning" size={13} />],
  error: ["bad", <CircleAlert key="error" size={13} />],
} as const;

export function NoteItem({ row }: { row: NoteRow }) {
  const [tone, icon] = noteLooks[row.tone];
  return (
    <Line rowKey={row.key} icon={icon} tone={tone}>
      <span className={classes("whitespace-normal", row.tone === "plain" && "text-faint")} dir="auto">
        <Exact text={row.text.slice(0, 4000)} />
      </span>
    </Line>
  );
}

/** Here the agent forgot the words and kept the gist. */
export function CompactedItem({ row: { compacted } }: { row: CompactedRow }) {
  const { before, after, trigger, inferred } = compacted;
  return (
    <div className="my-3 flex items-center gap-3 text-2xs text-faint">
      <span className="h-px grow bg-line-strong" />
      <span className="flex items-center gap-1.5">
        <Scissors size={12} aria-hidden="true" />
        Conversation compacted{trigger === "manual" ? " on request" : ""}
        {before !== undefined && after !== undefined && `: ${formatCount(before)} → ${formatCount(after)} tokens`}
        {inferred && " (concluded)"}
      </span>
      <span className="h-px grow bg-line-strong" />
    </div>
  );
}

export function RawItem({ row }: { row: RawRow }) {
  const count = row.events.length;
  return (
    <Line rowKey={row.key} icon={<Binary size={13} />}>
      <span className="text-faint">
        {count === 1 ? "A frame" : `${count} frames`} that Gantry does not know, kept as {count === 1 ? "it" : "they"}{" "}
        came
      </span>
    </Line>
  );
}

export function StalledItem({ row: { stalled, over } }: { row: StalledRow }) {
  const { session } = useTranscript();
  const stop = () => void client.sessions.interrupt(session).catch(toastError);
  return (
    <Trouble
      over={over}
      icon={<Hourglass size={14} />}
      title={over ? "The agent was silent, and is back" : "The agent is silent"}
    >
      <span className="grow">{stalled.reason}</span>
      {!over && stalled.actions.includes("interrupt") && <Button onClick={stop}>Stop the turn</Button>}
    </Trouble>
  );
}

export function LimitItem({ row: { limit, over } }: { row: LimitRow }) {
  const resets = limit.resetsAt && new Date(limit.resetsAt);
  return (
    <Trouble
      over={over}
      icon={<Gauge size={14} />}
      title={over ? "A limit was reached, and is over" : "A limit is reached"}
    >
      <span className="grow">
        {[limit.provider, limit.account, limit.window?.replaceAll("_", " ")].filter(Boolean).join(" · ")}
        {resets && (
          <>
            . It resets <time dateTime={limit.resetsAt}>{resets.toLocaleString()}</time>.
          </>
        )}
        {!over && " Wait for it, or go on with another model or agent."}
      </span>
    </Trouble>
  );
}

type TroubleProps = { over: boolean; icon: ReactNode; title: string; children: ReactNode };

function Trouble({ over, icon, title, children }: TroubleProps) {
  return (
    <div
      className={classes(
        "my-2 flex gap-2.5 rounded-lg border px-3 py-2",
        over ? "border-line text-soft" : "border-need-fill/40 bg-need-wash text-need",
      )}
    >
      <span className="mt-0.5 shrink-0" aria-hidden="true">
        {icon}
      </span>
      <div className="min-w-0 grow">
        <p className="font-medium">{title}</p>
        <div className="flex flex-wrap items-center gap-2 text-soft">{children}</div>
      </div>
    </div>
  );
}
