import { type SessionView, sessionState } from "@gantry/protocol";
import { classes } from "./classes.ts";

const looks = {
  waiting: ["bg-need-fill", "Needs you"],
  running: ["bg-busy breathe", "Working"],
  limited: ["bg-faint", "Waiting for a limit"],
  failed: ["bg-bad-fill", "The last turn failed"],
  idle: ["border border-line-strong", "Done"],
  ended: ["border border-line-strong opacity-50", "Ended"],
} as const;

/** What a session is doing, as a dot. */
export function StateDot({ session }: { session: SessionView }) {
  const state = sessionState(session);
  const failed = state === "idle" && session.lastTurn?.outcome === "failed";
  const [look, name] = looks[failed ? "failed" : state];
  return <span role="img" aria-label={name} title={name} className={classes("size-2 shrink-0 rounded-full", look)} />;
}
