import { limitTitle } from "@gantry/protocol";
import { Binary, CircleAlert, Gauge, Hourglass, Info, Scissors, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatCount } from "../../ui/display/format.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Output } from "../output/output.tsx";
import type { CompactedRow, LimitRow, NoteRow, RawRow, StalledRow } from "../rows/row.ts";
import { useTranscript } from "../view/context.ts";
import { RowLine } from "./row-line.tsx";

const noteLooks = {
  plain: ["plain", <Info key="plain" size={13} />],
  warning: ["need", <TriangleAlert key="warning" size={13} />],
  error: ["bad", <CircleAlert key="error" size={13} />],
} as const;

export function NoteItem({ row }: { row: NoteRow }) {
  const [tone, icon] = noteLooks[row.tone];
  return (
    <RowLine rowKey={row.key} icon={icon} tone={tone}>
      <span className={classes("whitespace-normal", row.tone === "plain" && "text-faint")} dir="auto">
        <Output text={row.text.slice(0, 4000)} />
      </span>
    </RowLine>
  );
}

/** Marks where the agent compacted its conversation. */
export function CompactedItem({ row: { compacted } }: { row: CompactedRow }) {
  const { before, after, trigger, inferred } = compacted;
  return (
    <div className="my-3 flex items-center gap-3 text-2xs text-faint">
      <span className="h-px grow bg-line-strong" />
      <span className="flex items-center gap-1.5">
        <Scissors size={12} aria-hidden="true" />
        Conversation compacted{trigger === "manual" ? " on request" : ""}
        {before !== undefined && after !== undefined && `: ${formatCount(before)} → ${formatCount(after)} tokens`}
        {inferred && " (inferred)"}
      </span>
      <span className="h-px grow bg-line-strong" />
    </div>
  );
}

export function RawItem({ row }: { row: RawRow }) {
  const count = row.events.length;
  return (
    <RowLine rowKey={row.key} icon={<Binary size={13} />}>
      <span className="text-faint">
        {count === 1 ? "1 unknown message" : `${count} unknown messages`} from the agent, stored unchanged
      </span>
    </RowLine>
  );
}

export function StalledItem({ row: { stalled, ended } }: { row: StalledRow }) {
  const { session } = useTranscript();
  const stop = () => void client.sessions.interrupt(session).catch(toastError);
  return (
    <StatusBox
      ended={ended}
      icon={<Hourglass size={14} />}
      title={ended ? "The agent stalled and recovered" : "The agent has stalled"}
    >
      <span className="grow">{stalled.reason}</span>
      {!ended && stalled.actions.includes("interrupt") && <Button onClick={stop}>Stop the turn</Button>}
    </StatusBox>
  );
}

/** A limit as one line. While it lasts, the bar above the composer has its actions. */
export function LimitItem({ row, open }: { row: LimitRow; open: boolean }) {
  const { limit, ended, refusals, failure } = row;
  const where = [limit.account, limit.window?.replaceAll("_", " ")].filter(Boolean).join(" · ");
  return (
    <>
      <RowLine
        rowKey={row.key}
        icon={<Gauge size={13} />}
        tone={ended ? "plain" : "need"}
        open={failure ? open : undefined}
        end={refusals > 1 ? `refused ${refusals} times` : undefined}
      >
        {ended ? `${limitName(limit)} ended` : limitTitle({ autoResume: false, ...limit })}
        {where && <span className="text-faint"> · {where}</span>}
      </RowLine>
      {open && failure && (
        <div className="mt-1 mb-2 ml-6 text-soft">
          <p className="wrap-break-word">
            <Output text={failure.message.slice(0, 2000)} />
          </p>
          <Markdown text={failure.remedy.slice(0, 2000)} />
        </div>
      )}
    </>
  );
}

/** The limit without its time. */
function limitName(limit: LimitRow["limit"]): string {
  return limitTitle({ autoResume: false, ...limit, resetsAt: undefined, nextTryAt: undefined });
}

type StatusBoxProps = { ended: boolean; icon: ReactNode; title: string; children: ReactNode };

function StatusBox({ ended, icon, title, children }: StatusBoxProps) {
  return (
    <div
      className={classes(
        "my-2 flex gap-2.5 rounded-lg border px-3 py-2",
        ended ? "border-line text-soft" : "border-need-fill/40 bg-need-wash text-need",
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
