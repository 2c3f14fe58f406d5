import type { ForkSession } from "@gantry/protocol";
import { homePath, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { resolveTurn } from "./resolve-turn.ts";

export type ForkFlags = Pick<ForkSession, "at" | "agent" | "model" | "files"> & { turn?: string };

/** Creates a session that continues from a turn of this one. */
export default async function fork(this: Context, { turn, ...flags }: ForkFlags, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const at = turn === undefined ? flags.at : (await resolveTurn(client, session.id, turn)).seq;
  const made = await client.turns.fork(session.id, { ...flags, at });
  if (this.output.json) return this.output.data(made);
  const where = made.cwd === session.cwd ? [] : [this.output.paint.dim(`  in ${homePath(made.cwd)}`)];
  const next = this.output.paint.dim(`  gantry send ${shortId(made.id)} "…"    # continue from here`);
  this.output.print([made.id, ...where, next]);
}
