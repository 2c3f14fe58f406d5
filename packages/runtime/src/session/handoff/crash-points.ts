import type { Envelope } from "@gantry/protocol";

/** The steps of a handoff in a commit, for tests that kill the process there. */
export function handoffCrashPoints(events: readonly Envelope[], brief: string | undefined): string[] {
  return events.flatMap((event) => {
    if (event.type === "handoff.started") return ["handoff:switch"];
    if (event.type === "handoff.ended") return ["handoff:end"];
    return event.type === "message.delivery" && event.data.message === brief ? ["handoff:delivery"] : [];
  });
}
