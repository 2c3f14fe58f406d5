import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { PanelViewProps } from "../panel/panel-tab.ts";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Markdown } from "../transcript/markdown/markdown.tsx";
import { classes } from "../ui/classes.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { PlanCard } from "./plan-card.tsx";
import { type Steps, usePlan } from "./use-plan.ts";

/** The plan that waits for an answer with its choices, or the last one, and the agent's steps. */
export default function PlanView({ session }: PanelViewProps) {
  const { proposal, steps, error, loading, reload } = usePlan(session);
  const pending = session.inputs.filter(({ kind }) => kind === "plan");
  const isEmpty = pending.length === 0 && !proposal && !steps;
  return (
    <div className="min-h-0 grow overflow-y-auto p-4">
      {pending.map((input) => (
        <PlanCard key={input.id} input={input} />
      ))}
      {steps && <StepList steps={steps} isRunning={session.turn !== undefined} />}
      {pending.length === 0 && proposal?.detail && (
        <section aria-label="Last plan" className="mb-4">
          <h2 className="mb-1 text-xs font-medium text-faint">Last plan</h2>
          <div className="max-w-prose">
            <Markdown text={proposal.detail} />
          </div>
        </section>
      )}
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {isEmpty && !loading && error === undefined && <NoPlan agent={session.agent} />}
    </div>
  );
}

function NoPlan({ agent }: { agent: string }) {
  const name = agentName(useCell(agents), agent);
  return (
    <p className="text-sm text-soft">
      No plan yet. When {name} lists its steps or proposes a plan, both appear here. In plan mode it proposes a plan
      before it changes files.
    </p>
  );
}

const MARKS = {
  completed: [CircleCheck, "Done", "text-good"],
  in_progress: [CircleDot, "In progress", "text-accent"],
  pending: [CircleDashed, "To do", "text-faint"],
} as const;

/** The steps with their progress. A step in progress of a session without a turn has stopped. */
function StepList({ steps: { entries, explanation }, isRunning }: { steps: Steps; isRunning: boolean }) {
  const done = entries.filter(({ status }) => status === "completed").length;
  return (
    <section aria-label="Steps" className="mb-4">
      <div className="mb-2 flex items-center gap-2 text-xs text-faint">
        <h2 className="font-medium">Steps</h2>
        <progress
          aria-label="Completed steps"
          value={done}
          max={Math.max(1, entries.length)}
          className="h-1 min-w-0 grow overflow-hidden rounded-full bg-sunken accent-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-fill"
        />
        <span className="tabular-nums">
          {done} of {entries.length}
        </span>
      </div>
      {explanation && <p className="mb-2 text-sm text-soft">{explanation}</p>}
      <ol className="flex flex-col gap-1.5 text-sm">
        {entries.map(({ text, status }, index) => {
          const [Icon, name, tone] = MARKS[status];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan have no ids.
            <li key={index} className="flex items-start gap-2">
              <span className="mt-0.5 shrink-0" role="img" aria-label={name}>
                <Icon size={15} className={classes(tone, status === "in_progress" && isRunning && "animate-pulse")} />
              </span>
              <span
                dir="auto"
                className={classes(
                  "wrap-anywhere",
                  status === "completed" && "text-faint",
                  status === "in_progress" && "font-medium",
                )}
              >
                {text}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
