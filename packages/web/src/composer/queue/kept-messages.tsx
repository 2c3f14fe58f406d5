import { CloudOff } from "lucide-react";
import { useCell } from "../../store/cell.ts";
import { connection } from "../../store/connection.ts";
import { discard, outbox } from "../../store/outbox.ts";
import { Button } from "../../ui/controls/button.tsx";

/** Messages that were written while the daemon was away, with a way to think again. */
export function KeptMessages({ session }: { session: string }) {
  const away = useCell(connection).state !== "online";
  const waiting = useCell(outbox).filter((outgoing) => outgoing.session === session && outgoing.kind === "message");
  if (!away || waiting.length === 0) return null;
  return (
    <section aria-label="Kept until the daemon answers" className="border-b border-line px-1.5 py-1.5">
      <ul>
        {waiting.map((outgoing) => (
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
