import { type PastSession, type SessionView, sessionStatus, statusText } from "@gantry/protocol";
import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { classes } from "../ui/classes.ts";
import { StatusDot } from "../ui/display/state-dot.tsx";
import { PastFiles } from "./past-files.tsx";

const MAX_QUEUED = 5;

/** State, requests, plan, queue and files of a session at a moment. */
export function PastFacts({ past }: { past: PastSession }) {
  const rows = useCell(agents);
  const status = sessionStatus(viewOf(past), new Date(past.moment.at));
  return (
    <div className="flex flex-col gap-5">
      <Part name="State">
        <p className="flex items-center gap-2">
          <StatusDot status={status} />
          {statusText(status)}
        </p>
        <p className="pl-4 text-xs text-soft">
          {[agentName(rows, past.agent), past.servedModel ?? past.model, past.mode].filter(Boolean).join(" · ")}
        </p>
        <p className="pl-4 text-xs text-soft">{turnText(past)}</p>
      </Part>
      <Part name="Pending requests" count={past.inputs.length}>
        {past.inputs.length === 0 && <None>No request was pending.</None>}
        <ul className="flex flex-col gap-1">
          {past.inputs.map(({ id, title }) => (
            <li key={id} className="rounded-md bg-need-wash px-2 py-1 text-need">
              {title}
            </li>
          ))}
        </ul>
      </Part>
      <Part name="Plan">
        <PastPlan plan={past.plan} />
      </Part>
      {past.queue.length > 0 && (
        <Part name="Queue" count={past.queue.length}>
          <ol className="list-decimal pl-5">
            {past.queue.slice(0, MAX_QUEUED).map(({ message, text }) => (
              <li key={message} className="truncate">
                {text}
              </li>
            ))}
          </ol>
          {past.queue.length > MAX_QUEUED && <None>and {past.queue.length - MAX_QUEUED} more</None>}
        </Part>
      )}
      <Part name="Files">
        <PastFiles past={past} />
      </Part>
    </div>
  );
}

function turnText({ turn, turns }: PastSession): string {
  if (turn) return `In turn ${turns}`;
  if (turns === 0) return "Before the first turn";
  return `After turn ${turns}`;
}

/** The status needs the state as the fold has it. */
function viewOf(past: PastSession): SessionView {
  return { sent: [], tools: [], subagents: [], grants: [], ...past } as SessionView;
}

function Part({ name, count, children }: { name: string; count?: number; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h2 className="flex gap-1.5 pb-1 text-2xs font-semibold text-soft">
        {name}
        {count !== undefined && count > 0 && <span className="font-normal text-faint tabular-nums">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

function None({ children }: { children: ReactNode }) {
  return <p className="text-faint">{children}</p>;
}

const marks = {
  completed: [<CircleCheck key="completed" size={14} className="text-good" />, "Done"],
  in_progress: [<CircleDot key="in_progress" size={14} className="text-accent" />, "In progress"],
  pending: [<CircleDashed key="pending" size={14} className="text-faint" />, "To do"],
} as const;

function PastPlan({ plan }: Pick<PastSession, "plan">) {
  if (!plan || plan.entries.length === 0) return <None>No plan yet.</None>;
  return (
    <ol className="flex flex-col gap-0.5">
      {plan.entries.map(({ text, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have no ids.
        <li key={index} className="flex items-start gap-2">
          <span className="mt-0.5 shrink-0" role="img" aria-label={marks[status][1]}>
            {marks[status][0]}
          </span>
          <span className={classes(status === "completed" && "text-faint", status === "in_progress" && "font-medium")}>
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}
