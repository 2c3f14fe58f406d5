import type { Envelope, InputRequest, SessionView } from "@gantry/protocol";
import { client } from "../store/connection/client.ts";
import { useQuery } from "../ui/load/use-query.ts";

/** The current steps of the agent. */
export type Steps = Envelope<"plan.updated">["data"];

/** The event of a session's log with this number, if it has the type. */
async function loadEvent<T extends Envelope["type"]>(session: string, seq: number, type: T) {
  const { events } = await client.sessions.events(session, { after: seq - 1, limit: 1 });
  const [event] = events;
  return event?.seq === seq && event.type === type ? (event as Envelope<T>) : undefined;
}

/** The last plan that the agent proposed, pending or not, and its current steps. Both follow the session. */
export function usePlan({ id, planAt, todosAt }: SessionView) {
  const { value, error, loading, reload } = useQuery(`${id} ${planAt} ${todosAt}`, async () => {
    const [proposed, steps] = await Promise.all([
      planAt === undefined ? undefined : loadEvent(id, planAt, "input.requested"),
      todosAt === undefined ? undefined : loadEvent(id, todosAt, "plan.updated"),
    ]);
    return { proposal: proposed?.data as InputRequest | undefined, steps: steps?.data };
  });
  return { ...value, error, loading, reload };
}
