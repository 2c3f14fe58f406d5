import type { Delivery, Sent } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";
import { attachmentsOf } from "../../arguments/attachments.ts";
import { promptText } from "../../arguments/prompt-text.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { isLater, type WhenFlags } from "../../arguments/times.ts";
import { connect } from "../../daemon/connect.ts";
import { watchWithSetup } from "../../follow/offer-setup.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { schedule } from "../schedules/schedule.ts";

export type SendFlags = WhenFlags & {
  delivery?: Delivery;
  wait: boolean;
  id?: string;
  attach?: readonly string[];
  timeout?: number;
};

/** Sends a message and prints how it was delivered; with `--wait`, follows its turn. */
export default async function send(this: Context, flags: SendFlags, name: string, ...args: string[]): Promise<void> {
  const { output } = this;
  const text = await promptText(args, output.streams.input);
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const attachments = attachmentsOf(flags.attach, session.cwd);
  if (isLater(flags)) {
    if (flags.wait || flags.id !== undefined)
      throw usageError("A message that is sent later has no --wait and no --id.");
    return schedule(this, client, flags, { session: session.id, text, attachments, delivery: flags.delivery });
  }
  const body = { id: flags.id, text, delivery: flags.delivery, attachments };
  const sent = await client.sessions.send(session.id, body);
  if (sent.disposition === "queued" && session.queueState === "paused")
    output.note(`The queue is paused. To run it: gantry queue resume ${shortId(session.id)}`);
  if (!flags.wait) return output.json ? output.data(sent) : output.print(sentLine(sent, session.id));
  const until = { message: sent.message };
  const watch = { client, session, after: session.lastSeq, until, timeoutSeconds: flags.timeout };
  await watchWithSetup(this, watch, body);
}

/** The text for a delivery. */
export function sentLine(sent: Sent, session: string): string {
  const where = `gantry attach ${shortId(session)}`;
  switch (sent.disposition) {
    case "started":
      return `started · ${where} to watch`;
    case "queued":
      return `queued at place ${(sent.position ?? 0) + 1} · gantry queue list ${shortId(session)}`;
    case "steered":
      return `steered into the running turn · ${where} to watch`;
    case "interrupting":
      return `the running turn is being interrupted, then this starts · ${where} to watch`;
  }
}

/** Sends a message into the running turn. */
export function steer(
  this: Context,
  flags: Omit<SendFlags, "delivery" | keyof WhenFlags>,
  name: string,
  ...args: string[]
): Promise<void> {
  return send.call(this, { ...flags, delivery: "steer" }, name, ...args);
}
