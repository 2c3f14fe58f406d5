import { diffControls, type Mode, type PatchSession, type SessionView } from "@gantry/protocol";
import { useState } from "react";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { storeSession } from "../../store/sessions/sessions.ts";
import { toastError } from "../../store/toasts.ts";
import { Badge } from "../../ui/display/badge.tsx";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import { appliedText } from "../queue/outcome-text.ts";
import { ChoicePickers, type Chosen } from "./choice-pickers.tsx";
import { modeNames } from "./choices.ts";
import { UnenforcedBadge } from "./unenforced-badge.tsx";

const HandoffDialog = lazyView(async () => ({
  default: (await import("../../handoff/handoff-dialog.tsx")).HandoffDialog,
}));

/**
 * Agent, model, effort and mode of a session: what was requested and, if different, what is in use. Choosing another
 * agent opens the handoff dialog.
 */
export function Pickers({ session, onNotice }: { session: SessionView; onNotice: (text: string) => void }) {
  const row = useCell(agents).find((known) => known.id === session.agent);
  const [target, handTo] = useState<{ to: string; model?: string }>();
  const [pending, setPending] = useState<Partial<Chosen>>({});
  const shown = { ...session, ...pending };
  const change = async (chosen: Partial<Chosen>) => {
    setPending(chosen);
    const patch: PatchSession =
      "controls" in chosen ? { controls: diffControls(session.controls, chosen.controls) } : chosen;
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
      <ChoicePickers
        agent={{ value: session.agent, onChoose: (to, model) => handTo({ to, model }) }}
        row={row}
        chosen={shown}
        served={session.servedModel}
        session={session}
        onChange={change}
      />
      <InUse session={session} />
      {target && <HandoffDialog session={session} {...target} onClose={() => handTo(undefined)} />}
    </div>
  );
}

/** Badges for a mode or model in use that differs from the requested one. */
function InUse({ session }: { session: SessionView }) {
  const { mode, modeApplied, modeConfirmed, modeNative, model, servedModel } = session;
  const { controls = {}, controlsApplied = {} } = session;
  const otherControls = Object.entries(controls).filter(([id, value]) => (controlsApplied[id] ?? value) !== value);
  const own = mode === "inherit" && modeConfirmed ? inheritedMode(modeApplied, modeNative) : undefined;
  const otherMode = modeApplied !== undefined && modeApplied !== mode && mode !== "inherit";
  const otherModel = model !== undefined && servedModel !== undefined && servedModel !== model;
  return (
    <>
      {otherMode && (
        <Badge tone="need" title="The agent does not support the requested mode, or has changed it.">
          Requested {modeNames[mode]}, using {modeNames[modeApplied]}
        </Badge>
      )}
      {own && <Badge title="The mode that the agent's own configuration sets, as the agent reports it.">{own}</Badge>}
      {otherControls.map(([id, value]) => (
        <Badge key={id} tone="need" title="The agent reports another value than the requested one.">
          Requested {id} {value}, using {controlsApplied[id]}
        </Badge>
      ))}
      <UnenforcedBadge session={session} className="mx-1 flex max-sm:mx-2" />
      {otherModel && (
        <Badge title={`Requested ${model}. The last answer came from ${servedModel}.`}>Answered by {servedModel}</Badge>
      )}
    </>
  );
}

/** What the agent's own configuration applied: Gantry's name for it, if there is one, and the agent's. */
function inheritedMode(applied: Mode | undefined, native: string | undefined): string | undefined {
  if (!applied || applied === "inherit") return native;
  return native && native !== applied ? `${modeNames[applied]} (${native})` : modeNames[applied];
}
