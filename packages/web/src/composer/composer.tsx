import type { Delivery, SessionView } from "@gantry/protocol";
import { useEffect, useRef, useState } from "react";

import { LimitBar } from "../limits/limit-bar.tsx";
import { LaterButton } from "../schedules/later-button.tsx";
import { ScheduleList } from "../schedules/schedule-list.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { clearDraft, draftOf, restoreDraft } from "../store/drafts.ts";
import { useSession } from "../store/hooks.ts";
import { sendMessage } from "../store/outbox.ts";
import { toastError } from "../store/toasts.ts";
import { AttachButton } from "./box/attach-button.tsx";
import { Card } from "./box/card.tsx";
import { DraftParts } from "./box/draft-parts.tsx";
import { MessageBox } from "./box/message-box.tsx";
import { useCommands } from "./box/use-commands.ts";
import { useFileDrop } from "./box/use-file-drop.ts";
import { useHistory } from "./box/use-history.ts";
import { Pickers } from "./choices/pickers.tsx";
import { composedDraft } from "./draft.ts";
import { KeptMessages } from "./queue/kept-messages.tsx";
import { outcomeWords } from "./queue/outcome-words.ts";
import { QueueList } from "./queue/queue-list.tsx";
import { SendButtons } from "./queue/send-buttons.tsx";

/** Where a person writes to the agent of a session. */
export function Composer({ session }: { session: string }) {
  const view = useSession(session);
  if (!view) return null;
  if (view.ended)
    return (
      <p className="border-t border-line px-6 py-3 text-center text-soft">This session has ended. Its log stays.</p>
    );
  return <OpenComposer session={view} />;
}

function OpenComposer({ session }: { session: SessionView }) {
  const { id } = session;
  const box = useRef<HTMLTextAreaElement>(null);
  const [said, say] = useSaid();
  const over = useFileDrop(id);
  const row = useCell(agents).find((known) => known.id === session.agent);
  const words = useCell(draftOf(id).words);
  const files = useCell(draftOf(id).files);
  const filled = words.text.trim() !== "" || words.contexts.length > 0 || files.length > 0;
  const running = session.turn !== undefined;
  const send = async (delivery: Delivery) => {
    const words = await sendDraft(id, delivery);
    if (words) say(words);
  };
  const focus = () => box.current?.focus();
  useShortcuts([
    { keys: "i", does: "Write a message", run: focus },
    { keys: "e", does: "Write a message", run: focus },
  ]);
  return (
    <form
      aria-label="Composer"
      onSubmit={(event) => event.preventDefault()}
      className="mx-auto w-full max-w-4xl px-4 pb-3"
    >
      <p role="status" className="h-6 truncate px-1 text-xs leading-6 text-faint">
        {said}
      </p>

      <LimitBar session={session} />
      <Card over={over}>
        <KeptMessages session={id} />
        <QueueList session={session} />
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
          <LaterButton session={id} text={words.text} onDone={() => clearDraft(id)} />
          <Pickers session={session} onSay={say} />
          <div className="ml-auto">
            <SendButtons session={session} filled={filled} steers={row?.steer === "inline"} onSend={send} />
          </div>
        </div>
      </Card>
    </form>
  );
}

function placeholder({ turn, archived }: SessionView): string {
  if (turn) return "Write what comes next, or steer what is going on";
  if (archived) return "Archived. A message brings it back";
  return "Write to the agent. @ for files, / for commands";
}

/** Sends the draft and says what became of it. What the daemon refuses is a draft again. */
async function sendDraft(session: string, delivery: Delivery): Promise<string | undefined> {
  const composed = composedDraft(session);
  if (!composed) return undefined;
  clearDraft(session);
  try {
    return outcomeWords(delivery, await sendMessage(session, { ...composed, delivery }));
  } catch (error) {
    restoreDraft(session, composed.text, composed.attachments);
    toastError(error);
    return undefined;
  }
}

const SAID_MS = 8000;

/** The last thing that was said about what one did, for a while. */
function useSaid(): [string | undefined, (words: string) => void] {
  const [said, setSaid] = useState<{ words: string }>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said?.words, (words) => setSaid({ words })];
}
