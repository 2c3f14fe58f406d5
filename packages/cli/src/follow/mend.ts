import type { Client } from "@gantry/client";
import { type CreateSession, offerIn, type SendMessage, type Session } from "@gantry/protocol";
import type { Context } from "../program/context.ts";
import { askToRun } from "../setup/run-setup-command.ts";
import { confirm } from "../terminal/prompt.ts";
import { type WatchOptions, watchTurn } from "./watch-turn.ts";

/**
 * Creates a session. Where the agent is missing and a person is there, the command that installs it is offered, and the
 * session is created after it. Throws what the call throws.
 */
export async function createMending(context: Context, client: Client, body: CreateSession): Promise<Session> {
  try {
    return await client.sessions.create(body);
  } catch (error) {
    const offer = offerIn((error as { details?: unknown }).details);
    if (offer && context.output.interactive) context.output.note((error as Error).message);
    const result = offer && (await askToRun(context, client, offer));
    if (!result?.mended || !(await confirm(context.output.streams, "Send the message now?"))) throw error;
    return createMending(context, client, body);
  }
}

/** Follows a turn as `watchTurn` does. One that fails for want of a command is offered it, and then sent once more. */
export async function watchMending(context: Context, options: WatchOptions, message: SendMessage): Promise<void> {
  const result = await watchTurn(context, options);
  const offer = result.outcome === "failed" ? result.end.data.error?.offer : undefined;
  const run = offer && (await askToRun(context, options.client, offer));
  if (!run?.mended || !(await confirm(context.output.streams, "Send the message again?"))) return;
  const { sessions } = options.client;
  const { id: _, ...body } = message;
  const session = await sessions.get(options.session.id);
  const sent = await sessions.send(session.id, body);
  const next = { ...options, session, after: session.lastSeq, until: { message: sent.message } };
  await watchMending(context, next, body);
}
