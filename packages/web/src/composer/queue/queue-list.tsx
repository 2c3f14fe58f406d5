import type { QueuedMessage, SessionView } from "@gantry/protocol";
import { CirclePause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { QueueEntry } from "./queue-entry.tsx";

type QueueListProps = {
  session: SessionView;
  /** Whether the agent accepts messages during a turn. */
  steers: boolean;
};

/** The queue of a session: send, edit, move and cancel messages. Positions follow the session's events. */
export function QueueList({ session, steers }: QueueListProps) {
  const { id, queue } = session;
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string>(undefined);
  const [dragged, setDragged] = useState<string>();

  // A row that moves in the document loses the focus. Restore it after a move by keyboard.
  useEffect(() => {
    if (!moved.current) return;
    list.current?.querySelector<HTMLElement>(`[data-message="${moved.current}"] [data-row]`)?.focus();
    moved.current = undefined;
  });

  if (queue.length === 0) return null;
  const move = (entry: QueuedMessage, position: number) => {
    if (position < 0 || position >= queue.length) return;
    moved.current = entry.message;
    client.sessions.editMessage(id, entry.message, { position }).catch(toastError);
  };
  const drop = (position: number) => {
    const entry = queue.find((other) => other.message === dragged);
    setDragged(undefined);
    if (entry) move(entry, position);
  };
  return (
    <section aria-label="Queued messages" className="border-b border-line px-1.5 py-1.5">
      {session.queueState === "paused" && <PausedQueue session={session} />}
      <ol ref={list} className="max-h-[30vh] overflow-y-auto">
        {queue.map((entry, position) => (
          <QueueEntry
            key={entry.message}
            entry={entry}
            position={position}
            count={queue.length}
            onMove={(to) => move(entry, to)}
            onEdit={(text) => client.sessions.editMessage(id, entry.message, { text }).catch(toastError)}
            steers={steers && session.turn !== undefined}
            onSend={(delivery) => client.sessions.editMessage(id, entry.message, { delivery }).catch(toastError)}
            onCancel={() => client.sessions.cancelMessage(id, entry.message).catch(toastError)}
            onDrag={() => setDragged(entry.message)}
            onDrop={() => drop(position)}
          />
        ))}
      </ol>
    </section>
  );
}

/** A paused queue runs nothing until it is resumed. */
function PausedQueue({ session }: { session: SessionView }) {
  const { id, queue } = session;
  const clear = async () => {
    for (const { message } of queue) await client.sessions.cancelMessage(id, message);
  };
  return (
    <div role="status" className="flex min-h-8 items-center gap-2 pl-2">
      <CirclePause size={14} className="shrink-0 text-need" aria-hidden />
      <span className="min-w-0 grow text-soft">Queue paused. These messages wait until you resume it.</span>
      <Button onClick={() => client.sessions.setQueue(id, "running").catch(toastError)}>Resume</Button>
      <Button look="quiet" onClick={() => clear().catch(toastError)}>
        Clear
      </Button>
    </div>
  );
}
