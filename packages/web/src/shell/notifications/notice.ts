import type { Envelope, SessionView } from "@gantry/protocol";

/** What a notification of the browser says. Two with the same `tag` replace each other. */
export type Notice = { title: string; body: string; tag: string; path: string };

/**
 * The notification for an event, told a moment after it; `session` is as it is by then. `undefined` for what is not
 * worth one: an input that is settled, a turn that someone stopped, or one that the queue goes on after.
 */
export function noticeFor(event: Envelope, session: SessionView): Notice | undefined {
  const path = `/s/${session.id}`;
  if (event.type === "input.requested") {
    const pending = session.inputs.some((input) => input.id === event.data.id);
    return pending
      ? { title: session.title, body: `Needs you: ${event.data.title}`, tag: event.data.id, path }
      : undefined;
  }
  if (event.type !== "turn.ended" || session.turn || session.queue.length > 0) return undefined;
  if (event.data.outcome === "interrupted") return undefined;
  const body =
    event.data.outcome === "failed"
      ? `Failed: ${event.data.error?.message ?? "the turn did not finish"}`
      : (session.last?.text ?? "Done");
  return { title: session.title, body, tag: session.id, path };
}
