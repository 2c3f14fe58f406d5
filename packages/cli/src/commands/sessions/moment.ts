import type { PastSession } from "@gantry/protocol";
import { firstLine, formatAgo, type Paint, shortId, stripControls, truncateText } from "@gantry/terminal";

/** Which moment of a session is shown, and which checkpoint has its files. */
export function momentFacts({ id, moment, checkpoint }: PastSession): [string, string | undefined][] {
  const { seq, end, type, at } = moment;
  return [
    ["as of", `event ${seq} of ${end}, ${type}, ${formatAgo(at, Date.now())}`],
    ["files", checkpoint ? checkpointText(checkpoint) : "no checkpoint at this moment"],
    ["fork", `gantry fork ${shortId(id)} --at ${seq}`],
  ];
}

function checkpointText({ commit, side, exact }: NonNullable<PastSession["checkpoint"]>): string {
  const note = exact ? "" : "; the turn was running and may have changed them since";
  return `checkpoint ${commit.slice(0, 12)}, ${side} the turn${note}`;
}

const marks = { pending: "○", in_progress: "●", completed: "✓" } as const;

export function planLines({ plan }: PastSession, paint: Paint, width: number): string[] {
  if (!plan || plan.entries.length === 0) return [];
  const rows = plan.entries.map(({ text, status }) =>
    truncateText(`  ${paint.cyan(marks[status])} ${firstLine(stripControls(text))}`, width),
  );
  return ["", paint.bold("Plan"), ...rows];
}
