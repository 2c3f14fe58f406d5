import { describeLimit, runningTasks, type Session } from "@gantry/protocol";
import { type Paint, pluralize } from "@gantry/terminal";

/** A session's state as a glyph and a word; an idle session shows the outcome of its last turn. */
export function stateWord(session: Session, paint: Paint): string {
  switch (session.state) {
    case "waiting":
      return paint.yellow(`◆ waiting${session.inputs.length > 1 ? ` (${session.inputs.length})` : ""}`);
    case "running":
      return session.stalled ? paint.yellow("◌ stalled") : paint.cyan("● running");
    case "limited":
      return paint.yellow(`◔ ${session.limit ? describeLimit(session.limit) : "limited"}`);
    case "ended":
      return paint.dim("■ ended");
    case "idle": {
      const tasks = runningTasks(session).length;
      const rest = restWord(session.lastTurn?.outcome, paint);
      return tasks === 0 ? rest : `${rest} ${paint.cyan(`+${pluralize(tasks, "task")}`)}`;
    }
  }
}

function restWord(outcome: string | undefined, paint: Paint): string {
  if (outcome === "failed") return paint.red("✗ failed");
  if (outcome === "interrupted") return paint.yellow("■ stopped");
  return outcome === "completed" ? paint.green("✓ done") : paint.dim("○ new");
}
