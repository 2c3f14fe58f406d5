import type { SessionView } from "@gantry/protocol";
import { Square } from "lucide-react";
import { useState } from "react";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { stopTurn } from "./stop.ts";

/** Stops the running turn; where messages wait, it asks first what is to become of them. */
export function StopButton({ session }: { session: SessionView }) {
  const [asking, setAsking] = useState(false);
  const stop = () => (session.queue.length > 0 ? setAsking(true) : void stopTurn(session.id, [], "keep"));
  useShortcuts([{ keys: "mod+.", does: "Stop the turn", run: stop, whileTyping: true }]);
  const choose = (queue: "keep" | "clear") => {
    setAsking(false);
    void stopTurn(session.id, session.queue, queue);
  };
  const waiting = session.queue.length === 1 ? "One message waits" : `${session.queue.length} messages wait`;
  return (
    <>
      <Button icon={<Square size={11} fill="currentColor" className="text-bad" />} onClick={stop}>
        Stop
      </Button>
      {asking && (
        <Dialog
          title="Stop the turn"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => choose("clear")}>Clear them</Button>
              <Button look="primary" autoFocus onClick={() => choose("keep")}>
                Keep them
              </Button>
            </>
          }
        >
          <p>{waiting} for the end of this turn. Kept, the first of them starts at once.</p>
          <p className="text-soft">Cleared, you can still take that back for eight seconds.</p>
        </Dialog>
      )}
    </>
  );
}
