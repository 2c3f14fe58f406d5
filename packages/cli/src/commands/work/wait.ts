import type { Session } from "@gantry/protocol";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import { acknowledgeTurn } from "../../follow/acknowledge-turn.ts";
import { waitingLines, watchTurn } from "../../follow/watch-turn.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";

export type WaitFlags = { timeout?: number };

/** Waits until a session rests, and exits with the outcome of its last turn. */
export default async function wait(this: Context, flags: WaitFlags, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const waiting = session.inputs.filter((input) => input.blocking);
  if (waiting.length > 0) {
    if (this.output.json) this.output.data({ outcome: "waiting", inputs: waiting });
    else this.output.print(waitingLines(waiting));
    this.process.exitCode = exitCodes.waiting;
    return;
  }
  if (!session.turn && (session.queue.length === 0 || session.queueState === "paused")) {
    await acknowledgeTurn(this, client, session.id, session.lastTurn?.id);
    return reportOutcome(this, session);
  }
  await watchTurn(this, {
    client,
    session,
    after: session.lastSeq,
    until: "rests",
    timeoutSeconds: flags.timeout,
  });
}

function reportOutcome(context: Context, session: Session): void {
  const outcome = session.lastTurn?.outcome ?? "completed";
  context.process.exitCode = exitCodes[outcome as "completed" | "failed" | "interrupted"];
  if (context.output.json) return context.output.data({ outcome, turn: session.lastTurn });
  context.output.print(session.lastTurn ? `${outcome}: nothing is running` : "no turn has run yet");
}
