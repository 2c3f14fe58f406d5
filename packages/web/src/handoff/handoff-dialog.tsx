import type { ControlValues, HandoffPlan, Mode, SessionView } from "@gantry/protocol";
import { Forward } from "lucide-react";
import { useState } from "react";
import { ChoicePickers } from "../composer/choices/choice-pickers.tsx";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { Field, TextArea } from "../ui/controls/field.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { BriefEditor } from "./brief-editor.tsx";

type HandoffDialogProps = { session: SessionView; to?: string; model?: string; onClose: () => void };

type Chosen = { agent: string; model?: string; mode: Mode; effort?: string; controls?: ControlValues };
/** `brief`: the edited brief; `undefined` while it is the planned one. */
type HandoffDraft = { prompt: string; brief?: string; interrupt: boolean };

/** Hands a session to another agent: the agent, the brief and the next task. */
export function HandoffDialog({ session, to, model, onClose }: HandoffDialogProps) {
  const rows = useCell(agents);
  const other = rows.find((row) => row.state === "ready" && row.id !== session.agent)?.id;
  const [picked, setPicked] = useState<Chosen>();
  // The list of agents may arrive after the dialog was opened.
  const chosen = picked ?? { agent: to ?? other ?? session.agent, model, mode: session.mode };
  const [draft, setDraft] = useState<HandoffDraft>({ prompt: "", interrupt: false });
  const change = (patch: Partial<HandoffDraft>) => setDraft((now) => ({ ...now, ...patch }));
  const plan = usePlan(session, chosen);
  const { handOff, busy, problem } = useHandoff(session.id, { ...chosen, ...draft }, onClose);
  const isBlocked = plan.value?.blocked !== undefined && !draft.interrupt;
  const choose = (next: Chosen) => {
    // An edited brief is meant for the agent it was written for.
    if (next.agent !== chosen.agent) change({ brief: undefined });
    setPicked(next);
  };
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
            disabled={busy || !plan.value || isBlocked}
            onClick={handOff}
          >
            {busy ? "Handing off…" : `Hand off to ${agentName(rows, chosen.agent)}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TargetFields from={session.agent} chosen={chosen} onChoose={choose} />
        <PlanText plan={plan.value} problem={plan.error} />
        <DraftFields plan={plan.value} draft={draft} onChange={change} onFollow={onClose} />
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

/** Sends the handoff and stores the session. `onDone` is called if the daemon accepted it. */
function useHandoff(
  session: string,
  { prompt, brief, interrupt, ...chosen }: Chosen & HandoffDraft,
  onDone: () => void,
) {
  const { attempt, busy, problem } = useAttempt();
  const handOff = () =>
    attempt(async () => {
      const { handoff: _, ...next } = await client.sessions.handOff(session, {
        ...chosen,
        ...(prompt.trim() ? { prompt: prompt.trim() } : {}),
        ...(brief === undefined ? {} : { brief }),
        ...(interrupt ? { interrupt } : {}),
      });
      storeSession(next);
      onDone();
    });
  return { handOff, busy, problem };
}

type TargetFieldsProps = { from: string; chosen: Chosen; onChoose: (chosen: Chosen) => void };

function TargetFields({ from, chosen, onChoose }: TargetFieldsProps) {
  const rows = useCell(agents);
  return (
    <div className="flex flex-wrap items-center gap-1 text-soft">
      <span className="pr-1">From {agentName(rows, from)} to</span>
      <ChoicePickers
        agent={{
          label: "To",
          value: chosen.agent,
          onChoose: (agent, model) => onChoose({ agent, model, mode: chosen.mode }),
        }}
        row={rows.find((known) => known.id === chosen.agent)}
        chosen={chosen}
        free
        onChange={(patch) => onChoose({ ...chosen, ...patch, mode: patch.mode ?? chosen.mode })}
      />
    </div>
  );
}

type DraftFieldsProps = {
  plan: HandoffPlan | undefined;
  draft: HandoffDraft;
  onChange: (patch: Partial<HandoffDraft>) => void;
  /** Called when the user follows a link out of the dialog. */
  onFollow: () => void;
};

function DraftFields({ plan, draft, onChange, onFollow }: DraftFieldsProps) {
  const { prompt, brief, interrupt } = draft;
  return (
    <>
      {plan?.blocked !== undefined && (
        <Checkbox checked={interrupt} onChange={(on) => onChange({ interrupt: on })}>
          Stop the turn and cancel pending requests, then hand off
        </Checkbox>
      )}
      <Field name="Next task" about="Optional. Without it, the brief explains how to continue.">
        <TextArea label="Next task" rows={2} value={prompt} onChange={(text) => onChange({ prompt: text })} />
      </Field>
      {plan && (plan.brief !== "" || brief !== undefined) && (
        <BriefEditor
          brief={brief ?? plan.brief}
          edited={brief !== undefined}
          receipts={plan.receipts}
          onChange={(text) => onChange({ brief: text })}
          onFollow={onFollow}
        />
      )}
    </>
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
