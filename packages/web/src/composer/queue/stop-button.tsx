import type { SessionView } from "@gantry/protocol";
import { Square } from "lucide-react";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { stopTurn } from "./stop.ts";

/** Stops the running turn at once. The queue goes on, unless one says otherwise; both can be taken back. */
export function StopButton({ session }: { session: SessionView }) {
  const stop = (queue: "keep" | "clear") => void stopTurn(session.id, session.queue, queue);
  useShortcuts([
    { keys: "mod+.", does: "Stop the turn", run: () => stop("keep"), whileTyping: true },
    {
      keys: "mod+shift+backspace",
      does: "Stop the turn and clear the queue",
      run: () => stop("clear"),
      whileTyping: true,
    },
  ]);
  const title = session.queue.length > 0 ? "Stops the turn; the queue goes on" : "Stops the turn";
  return (
    <Button
      title={title}
      icon={<Square size={11} fill="currentColor" className="text-bad" />}
      onClick={() => stop("keep")}
    >
      Stop
    </Button>
  );
}
