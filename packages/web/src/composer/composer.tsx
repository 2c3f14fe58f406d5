import type { Delivery, SessionView } from "@gantry/protocol";
import { type RefObject, useEffect, useRef, useState } from "react";

import { LimitBar } from "../limits/limit-bar.tsx";
import { ScheduleButton } from "../schedules/schedule-button.tsx";
import { ScheduleList } from "../schedules/schedule-list.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { clearDraft, draftOf, restoreDraft } from "../store/outgoing/drafts.ts";
import { sendMessage } from "../store/outgoing/outbox.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { toastError } from "../store/toasts.ts";
import { AttachButton } from "./box/attach-button.tsx";
import { DraftCard } from "./box/draft-card.tsx";
import { DraftParts } from "./box/draft-parts.tsx";
import { MessageBox } from "./box/message-box.tsx";
import { useCommands } from "./box/use-commands.ts";
import { useFileDrop } from "./box/use-file-drop.ts";
import { useHistory } from "./box/use-history.ts";
import { Pickers } from "./choices/pickers.tsx";
import { composedDraft } from "./draft-actions.ts";
import { SavedPrompts } from "./prompts/saved-prompts.tsx";
import { outcomeText } from "./queue/outcome-text.ts";
import { PendingSteers } from "./queue/pending-steers.tsx";
import { QueueList } from "./queue/queue-list.tsx";
import { SendButtons } from "./queue/send-buttons.tsx";
import { UnsentMessages } from "./queue/unsent-messages.tsx";

/** Writes and sends messages to the agent of a session. `label` names it if a view has several. */
export function Composer({ session, label = "Composer" }: { session: string; label?: string }) {
  const view = useSession(session);
  if (!view) return null;
  if (view.ended)
    return (
      <p className="border-t border-line px-6 py-3 text-center text-soft">
        This session has ended. You can still read its transcript.
      </p>
    );
  return <OpenComposer session={view} label={label} />;
}

function OpenComposer({ session, label }: { session: SessionView; label: string }) {
  const { id } = session;
  const box = useRef<HTMLTextAreaElement>(null);
  const [notice, showNotice] = useNotice();
  const over = useFileDrop(id);
  const row = useCell(agents).find((known) => known.id === session.agent);
  const body = useCell(draftOf(id).body);
  const files = useCell(draftOf(id).files);
  const filled = body.text.trim() !== "" || body.contexts.length > 0 || files.length > 0;
  const running = session.turn !== undefined;
  const send = async (delivery: Delivery) => {
    const outcome = await sendDraft(id, delivery);
    if (outcome) showNotice(outcome);
  };
  const focus = () => box.current?.focus();
  useFocusOnOpen(id, box);
  useShortcuts([
    { keys: "i", does: "Write a message", run: focus },
    { keys: "e", does: "Write a message", run: focus },
  ]);
  return (
    <form aria-label={label} onSubmit={(event) => event.preventDefault()} className="transcript-column px-4 pb-3">
      <p role="status" className="h-6 truncate px-1 text-xs leading-6 text-faint">
        {notice}
      </p>

      <LimitBar session={session} />
      <DraftCard over={over}>
        <UnsentMessages session={id} />
        <PendingSteers session={session} />
        <QueueList session={session} steers={row?.steer === "inline"} />
        <ScheduleList session={id} />
        <DraftParts draft={id} />
        <MessageBox
          draft={id}
          box={box}
          source={{ session: id, commands: useCommands(session) }}
          placeholder={placeholder(session)}
          onSend={() => send(running ? "queue" : "auto")}
          history={useHistory(id)}
        />
        <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
          <AttachButton draft={id} />
          <SavedPrompts draft={id} box={box} />
          <ScheduleButton session={id} message={() => composedDraft(id)} onDone={() => clearDraft(id)} />
          <Pickers session={session} onNotice={showNotice} />
          <div className="ml-auto">
            <SendButtons session={session} filled={filled} steers={row?.steer === "inline"} onSend={send} />
          </div>
        </div>
      </DraftCard>
    </form>
  );
}

/**
 * Focuses the message box when a session is opened, unless a key would then go to the wrong place: a pending request has
 * single-key answers, and a touch screen would open its keyboard.
 */
function useFocusOnOpen(session: string, box: RefObject<HTMLTextAreaElement | null>): void {
  const pending = useSession(session)?.inputs.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another session is opened.
  useEffect(() => {
    if (pending > 0 || location.hash !== "" || matchMedia("(pointer: coarse)").matches) return;
    const { activeElement } = document;
    const isFree =
      !activeElement || activeElement === document.body || activeElement.matches("a, main, [tabindex='-1']");
    if (isFree) box.current?.focus({ preventScroll: true });
  }, [session]);
}

function placeholder({ turn, archived }: SessionView): string {
  if (turn) return "Queue a message, or steer the running turn";
  if (archived) return "Archived. Sending a message unarchives it";
  return "Message the agent. @ for files, / for commands";
}

/** Sends the draft and returns a notice about the outcome. If the daemon refuses it, the draft is restored. */
async function sendDraft(session: string, delivery: Delivery): Promise<string | undefined> {
  const composed = composedDraft(session);
  if (!composed) return undefined;
  clearDraft(session);
  try {
    return outcomeText(delivery, await sendMessage(session, { ...composed, delivery }));
  } catch (error) {
    restoreDraft(session, composed.text, composed.attachments);
    toastError(error);
    return undefined;
  }
}

const NOTICE_MS = 8000;

/** The notice about the last action; it disappears after a while. */
function useNotice(): [string | undefined, (text: string) => void] {
  const [notice, setNotice] = useState<{ text: string }>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice?.text, (text) => setNotice({ text })];
}
