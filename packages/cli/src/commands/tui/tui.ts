import { loadHighlighter } from "@gantry/terminal/transcript";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type TuiFlags = { plain: boolean; noMouse: boolean };

/** Opens the full-screen program, or the same as plain lines. */
export default async function tui(this: Context, flags: TuiFlags, name?: string): Promise<void> {
  if (!this.output.interactive && !flags.plain) {
    throw usageError("tui needs a terminal.", "In a pipe, use `gantry ls`, `gantry logs -f` and `gantry send`.");
  }
  const client = await connect(this);
  const session = name === undefined ? undefined : (await resolveSession(client, name)).id;
  if (flags.plain) {
    const { runPlain } = await import("./plain.ts");
    return runPlain(this, client, session);
  }
  const [{ App }] = await Promise.all([import("./app.ts"), loadHighlighter()]);
  await new App(this, client, !flags.noMouse).run(session);
}
