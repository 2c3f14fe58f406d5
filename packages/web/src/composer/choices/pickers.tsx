import type { AgentRow, Mode, PatchSession, SessionView } from "@gantry/protocol";
import { useState } from "react";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/client.ts";
import { takeSession } from "../../store/sessions.ts";
import { toastError } from "../../store/toasts.ts";
import { Select } from "../../ui/controls/select.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import { appliedWords } from "../queue/outcome-words.ts";
import { agentChoices, effortChoices, modeChoices, modelChoices } from "./choices.ts";

const HandoffDialog = lazyView(async () => ({
  default: (await import("../../handoff/handoff-dialog.tsx")).HandoffDialog,
}));

type Chosen = Pick<SessionView, "model" | "mode" | "effort">;

/** Agent, model, effort and mode of a session: what was asked for, and beside it what really runs. */
export function Pickers({ session, onSay }: { session: SessionView; onSay: (words: string) => void }) {
  const row = useCell(agents).find((known) => known.id === session.agent);
  const [asked, setAsked] = useState<Partial<Chosen>>({});
  const shown = { ...session, ...asked };
  const change = async (patch: PatchSession) => {
    setAsked(patch as Partial<Chosen>);
    try {
      const { session: next, applied } = await client.sessions.patch(session.id, patch);
      takeSession(next);
      const words = appliedWords(applied);
      if (words) onSay(words);
    } catch (error) {
      toastError(error);
    } finally {
      setAsked({});
    }
  };
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-0.5 text-soft">
      <AgentPicker session={session} />
      <ChoicePickers row={row} chosen={shown} served={session.servedModel} onChange={change} />
      <WhatRuns session={session} />
    </div>
  );
}

type ChoicePickersProps = {
  row: AgentRow | undefined;
  chosen: Chosen;
  served?: string;
  /** May model and effort be left to the agent again? A session that has begun cannot go back to that. */
  free?: boolean;
  onChange: (patch: Partial<Chosen>) => void;
};

/** Model, effort and mode, as far as the agent has them. */
export function ChoicePickers({ row, chosen, served, free, onChange }: ChoicePickersProps) {
  const choice = { ...chosen, served, free };
  const efforts = effortChoices(row, choice);
  return (
    <>
      <Select
        label="Model"
        value={chosen.model ?? ""}
        choices={modelChoices(row, choice)}
        onChoose={(model) => onChange(free ? { model: model || undefined, effort: undefined } : { model })}
      />
      {efforts.length > 0 && (
        <Select
          label="Effort"
          value={chosen.effort ?? ""}
          choices={efforts}
          onChoose={(effort) => onChange({ effort: effort || undefined })}
        />
      )}
      <Select
        label="Mode"
        value={chosen.mode}
        choices={modeChoices(row, chosen.mode)}
        onChoose={(mode) => onChange({ mode: mode as Mode })}
      />
    </>
  );
}

/** The session's agent; choosing another one opens the dialog that hands the session to it. */
function AgentPicker({ session }: { session: SessionView }) {
  const rows = useCell(agents);
  const [to, handTo] = useState<string>();
  const known = rows.some((row) => row.id === session.agent);
  const choices = known ? agentChoices(rows) : [{ value: session.agent, label: session.agent }, ...agentChoices(rows)];
  return (
    <>
      <Select label="Agent" value={session.agent} choices={choices} onChoose={handTo} />
      {to && <HandoffDialog session={session} to={to} onClose={() => handTo(undefined)} />}
    </>
  );
}

/** Where what runs is not what was asked for. */
function WhatRuns({ session }: { session: SessionView }) {
  const { mode, modeApplied, model, servedModel } = session;
  const lower = modeApplied !== undefined && modeApplied !== mode && mode !== "inherit";
  const other = model !== undefined && servedModel !== undefined && servedModel !== model;
  return (
    <>
      {lower && (
        <Badge tone="need" title="The agent does not have the mode that was asked for, or it changed it itself.">
          asked {mode}, runs {modeApplied}
        </Badge>
      )}
      {other && (
        <Badge title={`Asked for ${model}; the last answer came from ${servedModel}.`}>answers: {servedModel}</Badge>
      )}
    </>
  );
}
