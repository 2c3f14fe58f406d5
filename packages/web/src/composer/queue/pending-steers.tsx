import { pendingSteers, type SessionView } from "@gantry/protocol";
import { CornerDownRight, Paperclip, Undo2 } from "lucide-react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";

/** Messages that were sent into the running turn and that the agent has not read. Each can be taken back. */
export function PendingSteers({ session }: { session: SessionView }) {
  const steers = session.turn ? pendingSteers(session) : [];
  if (steers.length === 0) return null;
  return (
    <section aria-label="Messages that the agent has not read" className="border-b border-line px-1.5 py-1.5">
      <ul className="max-h-[20vh] overflow-y-auto">
        {steers.map(({ message, text, attachments }) => (
          <li key={message} className="flex min-h-8 items-center gap-2 rounded-md pl-2 hover:bg-hover">
            <CornerDownRight size={13} className="shrink-0 text-accent" aria-hidden="true" />
            <span className="min-w-0 grow truncate text-soft" title={text}>
              {text}
            </span>
            {attachments.length > 0 && (
              <span className="flex shrink-0 items-center gap-0.5 text-2xs text-faint">
                <Paperclip size={11} aria-label="Attachments:" />
                {attachments.length}
              </span>
            )}
            <span className="shrink-0 text-2xs text-faint">Not read yet</span>
            <Button
              look="quiet"
              icon={<Undo2 size={13} />}
              onClick={() => client.sessions.cancelMessage(session.id, message).catch(toastError)}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
