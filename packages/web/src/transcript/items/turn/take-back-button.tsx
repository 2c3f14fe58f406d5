import { Undo2 } from "lucide-react";
import { useCell } from "../../../store/cell.ts";
import { client } from "../../../store/connection/client.ts";
import { sessionCell } from "../../../store/sessions/sessions.ts";
import { toastError } from "../../../store/toasts.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { useTranscript } from "../../view/context.ts";

/** Takes back a message that was sent into the running turn. Hidden for the message that started the turn. */
export function TakeBackButton({ message }: { message: string }) {
  const { session } = useTranscript();
  const turn = useCell(sessionCell(session))?.turn;
  if (!turn || turn.messages.includes(message)) return null;
  return (
    <Button
      look="quiet"
      icon={<Undo2 size={13} />}
      onClick={() => client.sessions.cancelMessage(session, message).catch(toastError)}
    >
      Take back
    </Button>
  );
}
