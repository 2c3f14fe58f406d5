import { type SessionView, sessionState } from "@gantry/protocol";
import { classes } from "../classes.ts";

const looks = {
  waiting: ["bg-need-fill", "Needs you"],
  running: ["bg-busy breathe", "Working"],
  limited: ["bg-faint", "Held"],
  failed: ["bg-bad-fill", "Last turn failed"],
  idle: ["border border-line-strong", "Done"],
  ended: ["border border-line-strong opacity-50", "Ended"],
} as const;

/** The state of a session as a colored dot with a name. */
export function StateDot({ session }: { session: SessionView }) {
  const state = sessionState(session);
  const failed = state === "idle" && session.lastTurn?.outcome === "failed";
  const [look, name] = looks[failed ? "failed" : state];
  return <span role="img" aria-label={name} title={name} className={classes("size-2 shrink-0 rounded-full", look)} />;
}
