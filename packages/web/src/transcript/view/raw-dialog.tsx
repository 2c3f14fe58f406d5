import type { Envelope } from "@gantry/protocol";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { CodeBlock } from "../../code/code-block.tsx";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";

type RawDialogProps = { session: string; events: readonly Envelope[]; onClose: () => void };

/** The events of a row from the log, with buttons to step to other events. */
export function RawDialog({ session, events, onClose }: RawDialogProps) {
  const [seq, setSeq] = useState(events[0]?.seq ?? 1);
  const event = useEvent(session, seq, events);
  return (
    <Dialog
      wide
      title={`Event ${seq}${event ? ` · ${event.type}` : ""}`}
      onClose={onClose}
      footer={
        <>
          {events.map((own) => (
            <Button key={own.seq} look={own.seq === seq ? "primary" : "plain"} onClick={() => setSeq(own.seq)}>
              {own.seq}
            </Button>
          ))}
          <Button
            label="Previous event"
            icon={<ChevronLeft size={14} />}
            disabled={seq <= 1}
            onClick={() => setSeq(seq - 1)}
          />
          <Button label="Next event" icon={<ChevronRight size={14} />} onClick={() => setSeq(seq + 1)} />
        </>
      }
    >
      {event ? (
        <CodeBlock text={JSON.stringify(event, null, 2)} language="json" />
      ) : (
        <p className="text-faint">This event does not exist yet.</p>
      )}
    </Dialog>
  );
}

function useEvent(session: string, seq: number, known: readonly Envelope[]): Envelope | undefined {
  const own = known.find((event) => event.seq === seq);
  const [fetched, setFetched] = useState<Envelope>();
  useEffect(() => {
    if (own) return;
    let mounted = true;
    client.sessions
      .events(session, { after: seq - 1, limit: 1 })
      .then(({ events }) => mounted && setFetched(events[0]))
      .catch(toastError);
    return () => {
      mounted = false;
    };
  }, [session, seq, own]);
  return own ?? (fetched?.seq === seq ? fetched : undefined);
}
