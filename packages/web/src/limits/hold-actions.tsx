import type { SessionStatus } from "@gantry/protocol";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";

/** What a person can do about a held session, as a button: try the limit again, or resume the queue. */
export function HoldActions({ session, status }: { session: string; status: SessionStatus }) {
  if (status.remedy === undefined) return null;
  const act = () => {
    const done = status.remedy === "try_now" ? tryNow(session) : resumeQueue(session);
    done.catch(toastError);
  };
  return (
    <Button className="relative self-start" onClick={act}>
      {status.remedy === "try_now" ? "Try now" : "Resume queue"}
    </Button>
  );
}

export async function tryNow(id: string): Promise<void> {
  storeSession(await client.call("resumeSession", { params: { id } }));
}

async function resumeQueue(id: string): Promise<void> {
  await client.call("changeQueue", { params: { id }, body: { state: "running" } });
}
