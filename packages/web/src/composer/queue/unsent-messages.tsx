import { CloudOff } from "lucide-react";
import { useCell } from "../../store/cell.ts";
import { connection } from "../../store/connection/connection.ts";
import { discard, outbox } from "../../store/outgoing/outbox.ts";
import { Button } from "../../ui/controls/button.tsx";

/** Messages that wait for the daemon to come back. Each can be discarded. */
export function UnsentMessages({ session }: { session: string }) {
  const isOffline = useCell(connection).state !== "online";
  const unsent = useCell(outbox).filter((outgoing) => outgoing.session === session && outgoing.kind === "message");
  if (!isOffline || unsent.length === 0) return null;
  return (
    <section aria-label="Messages to send when the daemon is back" className="border-b border-line px-1.5 py-1.5">
      <ul>
        {unsent.map((outgoing) => (
          <li key={outgoing.id} className="flex min-h-8 items-center gap-2 rounded-md pl-2">
            <CloudOff size={13} className="shrink-0 text-need" aria-label="Not sent yet:" />
            <span className="min-w-0 grow truncate text-soft">{outgoing.kind === "message" && outgoing.body.text}</span>
            <Button look="quiet" onClick={() => discard(outgoing.id)}>
              Discard
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
