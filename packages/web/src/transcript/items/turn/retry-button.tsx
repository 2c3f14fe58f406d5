import { RotateCcw } from "lucide-react";
import { sendMessage } from "../../../store/outgoing/outbox.ts";
import { toastError } from "../../../store/toasts.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { useTranscript } from "../../view/context.ts";

/** Sends messages again as new ones. Hidden if their text is not loaded. */
export function RetryButton({ messages }: { messages: readonly string[] }) {
  const { session, window } = useTranscript();
  const { tree } = window.state.get().fold;
  const rows = messages.map((message) => tree.find("user", `message:${message}`)).filter((row) => row !== undefined);
  if (rows.length === 0) return null;
  const resend = async () => {
    try {
      for (const { text, attachments } of rows) await sendMessage(session, { text, attachments: [...attachments] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Button icon={<RotateCcw size={13} />} onClick={() => void resend()}>
      Try again
    </Button>
  );
}
