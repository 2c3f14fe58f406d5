import type { Client } from "@gantry/client";
import { type CreateSession, offerIn, type SendMessage, type Session } from "@gantry/protocol";
import { confirm } from "@gantry/terminal";
import type { Context } from "../program/context.ts";
import { offerSetupCommand } from "../setup/run-setup-command.ts";
import { type WatchOptions, watchTurn } from "./watch-turn.ts";

/**
 * Creates a session. If the agent is missing and a terminal is attached, offers its install command and retries. Throws
 * what the call throws.
 */
export async function createWithSetup(context: Context, client: Client, body: CreateSession): Promise<Session> {
  try {
    return await client.sessions.create(body);
  } catch (error) {
    const offer = offerIn((error as { details?: unknown }).details);
    if (offer && context.output.interactive) context.output.note((error as Error).message);
    const result = offer && (await offerSetupCommand(context, client, offer));
    if (!result?.fixed || !(await confirm(context.output.streams, "Send the message now?"))) throw error;
    return createWithSetup(context, client, body);
  }
}

/** Follows a turn like `watchTurn`. If it fails for lack of an install or login, offers that command and sends again. */
export async function watchWithSetup(context: Context, options: WatchOptions, message: SendMessage): Promise<void> {
  const result = await watchTurn(context, options);
  const offer = result.outcome === "failed" ? result.end.data.error?.offer : undefined;
  const run = offer && (await offerSetupCommand(context, options.client, offer));
  if (!run?.fixed || !(await confirm(context.output.streams, "Send the message again?"))) return;
  const { sessions } = options.client;
  const { id: _, ...body } = message;
  const session = await sessions.get(options.session.id);
  const sent = await sessions.send(session.id, body);
  const next = { ...options, session, after: session.lastSeq, until: { message: sent.message } };
  await watchWithSetup(context, next, body);
}
