import { runningTasks, type Session, type SessionStatus, sessionStatus, statusText } from "@gantry/protocol";
import { type Paint, pluralize } from "@gantry/terminal";

/** A session's status with a glyph, in the terms of the board; running background tasks are counted. */
export function stateWord(session: Session, paint: Paint, status: SessionStatus = sessionStatus(session)): string {
  const tasks = status.group === "done" ? runningTasks(session).length : 0;
  const text = statusWord(status, paint);
  return tasks === 0 ? text : `${text} ${paint.cyan(`+${pluralize(tasks, "task")}`)}`;
}

/** A status with a glyph and a color. */
export function statusWord(status: SessionStatus, paint: Paint): string {
  const text = statusText(status);
  if (status.failed) return paint.red(`✗ ${text}`);
  if (status.group === "needs_you") return paint.yellow(`◆ ${text}`);
  if (status.group === "working") return paint.cyan(`● ${text}`);
  if (status.group === "held") return paint.yellow(`◔ ${text}`);
  return status.reason ? paint.dim(`○ ${text}`) : paint.green(`✓ ${text}`);
}
