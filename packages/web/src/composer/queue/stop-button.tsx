import type { SessionView } from "@gantry/protocol";
import { Square } from "lucide-react";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { stopTurn } from "./stop-turn.ts";

/** Stops the running turn. The queue continues unless it is cleared as well. */
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
  const title = session.queue.length > 0 ? "Stop the turn. The queue continues." : "Stop the turn";
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
