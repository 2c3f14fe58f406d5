import type { Envelope, InputRequest, SessionView } from "@gantry/protocol";

/** The content of a browser notification. A later one with the same `tag` replaces an earlier one. */
export type Notice = { title: string; body: string; tag: string; path: string; input?: InputRequest };

/**
 * The notification for an event. Called a moment after the event; `session` is the state by then. Returns `undefined` for
 * an input that is already settled, a turn that was stopped, and a turn that is followed by a queued message.
 */
export function noticeFor(event: Envelope, session: SessionView): Notice | undefined {
  const path = `/s/${session.id}`;
  if (event.type === "input.requested") {
    const input = session.inputs.find(({ id }) => id === event.data.id);
    return input && { title: session.title, body: `Needs you: ${input.title}`, tag: input.id, path, input };
  }
  if (event.type !== "turn.ended" || session.turn || (session.queue.length > 0 && session.queueState !== "paused"))
    return undefined;
  if (event.data.outcome === "interrupted") return undefined;
  const body =
    event.data.outcome === "failed"
      ? `Failed: ${event.data.error?.message ?? "the turn did not finish"}`
      : (session.last?.text ?? "Done");
  return { title: session.title, body, tag: session.id, path };
}
