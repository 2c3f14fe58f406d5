import { Play } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { newId } from "../store/outgoing/outbox.ts";
import { useStart } from "../store/outgoing/use-start.ts";
import { Button } from "../ui/controls/button.tsx";

/** Starts the demo session, which needs no installed agent. */
export function DemoCard() {
  const { starting, start } = useStart(() => client.sessions.demo(newId("session")));
  return (
    <section
      aria-label="Demo"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl border border-line bg-surface px-5 py-4"
    >
      <div className="min-w-64 grow basis-80">
        <h3 className="text-sm font-semibold">Try the demo</h3>
        <p className="text-soft">
          A short session in a sample project. It needs no account and no network, and asks you before it writes.
        </p>
      </div>
      <Button look="primary" className="h-8 px-3.5" icon={<Play size={14} />} disabled={starting} onClick={start}>
        {starting ? "Starting…" : "Start the demo"}
      </Button>
    </section>
  );
}
