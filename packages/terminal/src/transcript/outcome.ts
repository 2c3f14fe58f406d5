import type { Envelope } from "@gantry/protocol";
import { formatDollars, formatDuration, formatUsage } from "../text/figures.ts";
import type { Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";

type TurnEnd = Envelope<"turn.ended">["data"];

/** The line that closes a turn: outcome, tokens, cost, duration; a failure adds why and what to do. */
export function outcomeLines(end: TurnEnd, paint: Paint, elapsedMs?: number): string[] {
  // The agent counts only its own work; a person also waits for its start. Imported events have no such time.
  const times = [end.durationMs, elapsedMs].filter((ms) => ms !== undefined);
  const time = times.length > 0 ? Math.max(...times) : undefined;
  const figures = [
    end.usage ? formatUsage(end.usage) : undefined,
    end.cost && end.cost.usd > 0 ? formatDollars(end.cost) : undefined,
    time === undefined ? undefined : formatDuration(time),
    end.ttftMs === undefined ? undefined : `first output ${formatDuration(end.ttftMs)}`,
  ].filter((figure) => figure !== undefined);
  const rest = figures.length > 0 ? paint.dim(` · ${figures.join(" · ")}`) : "";
  const lines = [outcomeWord(end, paint) + rest];
  if (end.error) {
    lines.push(`  ${stripControls(end.error.message)}`);
    lines.push(`  ${paint.dim(end.error.remedy)}`);
  }
  return lines;
}

function outcomeWord(end: TurnEnd, paint: Paint): string {
  if (end.outcome === "completed") return paint.green("✓ completed");
  if (end.outcome === "interrupted") return paint.yellow(`■ ${interruptedWord(end.reason)}`);
  return paint.red(`✗ failed${end.error ? ` (${end.error.category})` : ""}`);
}

function interruptedWord(reason: string | undefined): string {
  if (!reason) return "interrupted";
  return reason.startsWith("interrupted") ? reason : `interrupted: ${reason}`;
}
