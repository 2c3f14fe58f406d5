import type { AgentRow, Mode, PatchSession, SessionView } from "@gantry/protocol";
import { useState } from "react";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { storeSession } from "../../store/sessions/sessions.ts";
import { toastError } from "../../store/toasts.ts";
import { Select } from "../../ui/controls/select.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import { appliedText } from "../queue/outcome-text.ts";
import { agentChoices, effortChoices, modeChoices, modelChoices, modeNames } from "./choices.ts";

const HandoffDialog = lazyView(async () => ({
  default: (await import("../../handoff/handoff-dialog.tsx")).HandoffDialog,
}));

type Chosen = Pick<SessionView, "model" | "mode" | "effort">;

/** Agent, model, effort and mode of a session: what was requested and, if different, what is in use. */
export function Pickers({ session, onNotice }: { session: SessionView; onNotice: (text: string) => void }) {
  const row = useCell(agents).find((known) => known.id === session.agent);
  const [pending, setPending] = useState<Partial<Chosen>>({});
  const shown = { ...session, ...pending };
  const change = async (patch: PatchSession) => {
    setPending(patch as Partial<Chosen>);
    try {
      const { session: next, applied } = await client.sessions.patch(session.id, patch);
      storeSession(next);
      const text = appliedText(applied);
      if (text) onNotice(text);
    } catch (error) {
      toastError(error);
    } finally {
      setPending({});
    }
  };
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-0.5 text-soft">
      <AgentPicker session={session} />
      <ChoicePickers row={row} chosen={shown} served={session.servedModel} onChange={change} />
      <InUse session={session} />
    </div>
  );
}

type ChoicePickersProps = {
  row: AgentRow | undefined;
  chosen: Chosen;
  served?: string;
  /** Whether model and effort may be left to the agent again. Not possible once a session has started. */
  free?: boolean;
  onChange: (patch: Partial<Chosen>) => void;
};

/** Model, effort and mode, as far as the agent supports them. */
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

/** The session's agent. Choosing another one opens the handoff dialog. */
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

/** Badges for a mode or model in use that differs from the requested one. */
function InUse({ session }: { session: SessionView }) {
  const { mode, modeApplied, model, servedModel } = session;
  const otherMode = modeApplied !== undefined && modeApplied !== mode && mode !== "inherit";
  const otherModel = model !== undefined && servedModel !== undefined && servedModel !== model;
  return (
    <>
      {otherMode && (
        <Badge tone="need" title="The agent does not support the requested mode, or has changed it.">
          Requested {modeNames[mode]}, using {modeNames[modeApplied]}
        </Badge>
      )}
      {otherModel && (
        <Badge title={`Requested ${model}. The last answer came from ${servedModel}.`}>Answered by {servedModel}</Badge>
      )}
    </>
  );
}
