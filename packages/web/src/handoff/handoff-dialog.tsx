import type { HandoffPlan, Mode, SessionView } from "@gantry/protocol";
import { Forward } from "lucide-react";
import { useState } from "react";
import { agentChoices } from "../composer/choices/choices.ts";
import { ChoicePickers } from "../composer/choices/pickers.tsx";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { Field, fieldLook } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { BriefEditor } from "./brief-editor.tsx";

type HandoffDialogProps = { session: SessionView; to?: string; model?: string; onClose: () => void };

type Chosen = { agent: string; model?: string; mode: Mode; effort?: string };

/** Hands a session to another agent: the agent, the brief and the next task. */
export function HandoffDialog({ session, to, model, onClose }: HandoffDialogProps) {
  const rows = useCell(agents);
  const other = rows.find((row) => row.state === "ready" && row.id !== session.agent)?.id;
  const [chosen, setChosen] = useState<Chosen>({ agent: to ?? other ?? session.agent, model, mode: session.mode });
  const [prompt, setPrompt] = useState("");
  const [brief, setBrief] = useState<string>();
  const [interrupt, setInterrupt] = useState(false);
  const plan = usePlan(session, chosen);
  const { attempt, busy, problem } = useAttempt();
  const row = rows.find((known) => known.id === chosen.agent);
  const handOff = () =>
    attempt(async () => {
      const { handoff: _, ...next } = await client.sessions.handOff(session.id, {
        ...chosen,
        ...(prompt.trim() ? { prompt: prompt.trim() } : {}),
        ...(brief === undefined ? {} : { brief }),
        ...(interrupt ? { interrupt } : {}),
      });
      storeSession(next);
      onClose();
    });
  const blocked = plan.value?.blocked;
  return (
    <Dialog
      title="Hand off"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            icon={<Forward size={14} />}
            disabled={busy || !plan.value || (blocked !== undefined && !interrupt)}
            onClick={handOff}
          >
            {busy ? "Handing off…" : `Hand off to ${agentName(rows, chosen.agent)}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-1 text-soft">
          <span className="pr-1">From {agentName(rows, session.agent)} to</span>
          <Select
            label="To"
            value={chosen.agent}
            choices={agentChoices(rows)}
            onChoose={(agent) => {
              setChosen((now) => ({ agent, mode: now.mode }));
              // An edited brief is meant for the agent it was written for.
              setBrief(undefined);
            }}
          />
          <ChoicePickers
            row={row}
            chosen={chosen}
            free
            onChange={(patch) => setChosen((now) => ({ ...now, ...patch, mode: patch.mode ?? now.mode }))}
          />
        </div>
        <PlanText plan={plan.value} problem={plan.error} />
        {blocked !== undefined && (
          <Checkbox checked={interrupt} onChange={setInterrupt}>
            Stop the turn and cancel pending requests, then hand off
          </Checkbox>
        )}
        <Field name="Next task" about="Optional. Without it, the brief says how to continue.">
          <textarea
            aria-label="Next task"
            rows={2}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
            className={`${fieldLook} h-auto w-full py-1`}
          />
        </Field>
        {plan.value && (plan.value.brief !== "" || brief !== undefined) && (
          <BriefEditor
            brief={brief ?? plan.value.brief}
            edited={brief !== undefined}
            receipts={plan.value.receipts}
            onChange={setBrief}
            onFollow={onClose}
          />
        )}
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

/** The plan of the handoff for the current choices. */
function usePlan(session: SessionView, chosen: Chosen) {
  const key = JSON.stringify([session.id, session.lastSeq, chosen]);
  return useQuery(key, () => client.sessions.planHandoff(session.id, chosen));
}

function PlanText({ plan, problem }: { plan: HandoffPlan | undefined; problem: unknown }) {
  if (problem !== undefined) return <ErrorMessage problem={problem} />;
  if (!plan) return <p className="text-faint">Writing the brief…</p>;
  return (
    <div className="text-soft">
      <p>{plan.why}</p>
      {plan.dropped.map((text) => (
        <p key={text} className="text-need">
          {text}
        </p>
      ))}
      {plan.blocked && <p className="text-need">{plan.blocked}</p>}
    </div>
  );
}
