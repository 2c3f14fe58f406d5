import { RotateCcw } from "lucide-react";
import { sendMessage } from "../../../store/outgoing/outbox.ts";
import { toastError } from "../../../store/toasts.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { useTranscript } from "../../view/context.ts";

/** Sends messages again as new ones. Hidden if their text is not loaded. */
export function RetryButton({ messages }: { messages: readonly string[] }) {
  const resend = useResend(messages);
  if (useRows(messages).length === 0) return null;
  return (
    <Button icon={<RotateCcw size={13} />} onClick={resend}>
      Try again
    </Button>
  );
}

/** Returns a function that sends messages again, as far as their text is loaded. */
export function useResend(messages: readonly string[]): () => void {
  const { session } = useTranscript();
  const rows = useRows(messages);
  const resend = async () => {
    try {
      for (const { text, attachments } of rows) await sendMessage(session, { text, attachments: [...attachments] });
    } catch (error) {
      toastError(error);
    }
  };
  return () => void resend();
}

function useRows(messages: readonly string[]) {
  const { tree } = useTranscript().window.state.get().fold;
  return messages.map((message) => tree.find("user", `message:${message}`)).filter((row) => row !== undefined);
}
