import { type SessionGroup, type SessionStatus, type SessionView, sessionStatus, statusText } from "@gantry/protocol";
import { classes } from "../classes.ts";

const looks: Record<SessionGroup, string> = {
  needs_you: "bg-need-fill",
  working: "bg-busy breathe",
  held: "border-2 border-need-fill",
  done: "border border-line-strong",
};

/** The state of a session as a colored dot with a name. */
export function StateDot({ session }: { session: SessionView }) {
  return <StatusDot status={sessionStatus(session)} />;
}

/** A status as a colored dot with a name. */
export function StatusDot({ status }: { status: SessionStatus }) {
  const name = statusText(status);
  const look = status.failed ? "bg-bad-fill" : looks[status.group];
  return <span role="img" aria-label={name} title={name} className={classes("size-2 shrink-0 rounded-full", look)} />;
}
