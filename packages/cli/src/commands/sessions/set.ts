import { type Applied, formatControls, type Mode, type PatchSession } from "@gantry/protocol";
import { shortId, stripControls } from "@gantry/terminal";
import { type ControlFlags, controlChanges } from "../../arguments/controls.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type SetFlags = ControlFlags & { model?: string; mode?: Mode; effort?: string };

/** Changes model, mode, effort or native controls of a session, and prints when each change takes effect. */
export default async function set(this: Context, flags: SetFlags, name: string): Promise<void> {
  const { model, mode, effort } = flags;
  const body = withoutAbsent({ model, mode, effort, controls: controlChanges(flags) });
  if (Object.keys(body).length === 0) {
    throw usageError("There is nothing to set.", "Give --model, --mode, --effort, --fast or --control.");
  }
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const changed = await client.sessions.patch(id, body);
  if (this.output.json) return this.output.data(changed);
  this.output.print([shortId(id), ...appliedLines(changed)]);
}

const WHEN = { now: "in effect", next_turn: "from the next turn", next_start: "when the agent starts next" } as const;

/** One line for each change of settings, for people. */
export function appliedLines({ applied, handoff }: Applied): string[] {
  const lines = applied.map(({ field, value, when }) => {
    const text = field === "controls" ? formatControls(value as Record<string, string>) || "default" : String(value);
    return `  ${field}  ${stripControls(text)}  ${WHEN[when]}`;
  });
  return handoff ? [...lines, `  handed off to ${handoff.to}`] : lines;
}

function withoutAbsent(body: PatchSession): PatchSession {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
