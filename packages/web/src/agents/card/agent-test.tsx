import { checkLive, type LiveReport, type LiveStep } from "@gantry/client";
import type { AgentRow } from "@gantry/protocol";
import { Check, Stethoscope, X } from "lucide-react";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatDuration } from "../../ui/display/format.ts";
import { InlineCode } from "../../ui/display/inline-code.tsx";
import { SetupCommand } from "../setup/setup-command.tsx";
import { withEmptyFolder } from "./empty-folder.ts";

type Run = { steps: readonly LiveStep[]; report?: LiveReport };

/** Sends one short prompt to the agent when the user asks for it. `run` holds the steps so far. */
export function useAgentTest(row: AgentRow): { run?: Run; check: () => void } {
  const [run, setRun] = useState<Run>();
  const check = async () => {
    setRun({ steps: [] });
    const onStep = (step: LiveStep) => setRun((now) => now && { ...now, steps: [...now.steps, step] });
    const report = await withEmptyFolder((cwd) => checkLive(client, { agent: row.id, cwd, onStep })).catch(
      (error: unknown) => reportError(row.id, error),
    );
    setRun({ steps: report.steps, report });
  };
  return { run, check: () => void check() };
}

export function TestButton({ row, run, check }: { row: AgentRow } & ReturnType<typeof useAgentTest>) {
  const running = run !== undefined && run.report === undefined;
  return (
    <Button
      look="quiet"
      aria-label={`Test ${row.name}`}
      disabled={running}
      icon={<Stethoscope size={14} />}
      title="Sends one short prompt and waits for the answer. This costs one short response."
      onClick={check}
    >
      {running ? "Testing…" : "Test"}
    </Button>
  );
}

/** The steps of a test with their durations, and the remedy if one failed. */
export function TestSteps({ run: { steps, report } }: { run: Run }) {
  return (
    <div role="status" className="min-w-0 grow">
      <ol className="flex min-h-7 flex-wrap items-center gap-x-4">
        {steps.map(({ name, state, ms, detail }) => (
          <li key={name} className="flex items-center gap-1.5 text-soft">
            {state === "ok" ? (
              <Check size={14} aria-label="ok" className="text-good" />
            ) : (
              <X size={14} aria-label="failed" className="text-bad" />
            )}
            {name}
            <span className="text-xs text-faint tabular-nums">{formatDuration(ms)}</span>
            {detail && <span className="text-xs text-faint">{detail}</span>}
          </li>
        ))}
        {report?.ok && <li className="font-medium text-good">Working</li>}
      </ol>
      {report?.trouble && (
        <div className="flex flex-col gap-1.5 pb-1">
          <p className="wrap-break-word">
            <b className="font-medium text-bad">
              <InlineCode text={report.trouble.message} />
            </b>
            {report.trouble.remedy && (
              <span className="block text-soft">
                <InlineCode text={report.trouble.remedy} />
              </span>
            )}
          </p>
          {report.trouble.offer && <SetupCommand offer={report.trouble.offer} look="primary" />}
        </div>
      )}
    </div>
  );
}

function reportError(agent: string, error: unknown): LiveReport {
  const message = error instanceof Error ? error.message : String(error);
  return { agent, ok: false, steps: [], totalMs: 0, trouble: { category: "unknown", message } };
}
