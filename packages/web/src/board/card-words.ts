import type { SessionView } from "@gantry/protocol";

export type Trouble = { tone: "need" | "plain"; text: string };

/** Why a session does not go on by itself; `undefined` when nothing is in its way. */
export function troubleOf({ inputs, stalled, limit, turn }: SessionView): Trouble | undefined {
  const [first, ...more] = inputs;
  if (first) return { tone: "need", text: more.length > 0 ? `${first.title} (and ${more.length} more)` : first.title };
  if (stalled) return { tone: "plain", text: `Stalled: ${stalled.reason}` };
  if (!limit || turn) return undefined;
  const until = limit.resetsAt ? ` until ${new Date(limit.resetsAt).toLocaleString()}` : "";
  return { tone: "plain", text: `The limit of ${limit.provider} is reached${until}.` };
}
