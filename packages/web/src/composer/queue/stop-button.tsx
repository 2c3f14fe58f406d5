import type { QueueOnStop, SessionView } from "@gantry/protocol";
import { Square } from "lucide-react";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { stopTurn } from "./stop-turn.ts";

/** Stops the running turn and pauses the queue, or clears it as well. */
export function StopButton({ session }: { session: SessionView }) {
  const stop = (queue: QueueOnStop) => void stopTurn(session.id, session.queue, queue);
  useShortcuts([
    { keys: "mod+.", does: "Stop the turn", run: () => stop("pause"), whileTyping: true },
    {
      keys: "mod+shift+backspace",
      does: "Stop the turn and clear the queue",
      run: () => stop("clear"),
      whileTyping: true,
    },
  ]);
  const title = session.queue.length > 0 ? "Stop the turn and pause the queue" : "Stop the turn";
  return (
    <Button
      title={title}
      icon={<Square size={11} fill="currentColor" className="text-bad" />}
      onClick={() => stop("pause")}
    >
      Stop
    </Button>
  );
}
