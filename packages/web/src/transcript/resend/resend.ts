import type { Attachment, CreateSession, ForkSession, SessionView } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { sendMessage } from "../../store/outgoing/outbox.ts";
import { storeSession } from "../../store/sessions/sessions.ts";

/** What happens to the files: those of that point in a new lane, the same in this folder, or none. */
export type ResendFiles = "lane" | "here" | "none";

type Resend = {
  session: SessionView;
  /** The sequence number of the message. */
  seq: number;
  /** Whether a turn ended before the message. */
  hasTurnBefore: boolean;
  text: string;
  attachments: readonly Attachment[];
  files: ResendFiles;
};

/**
 * Sends a changed message from the point before the original one, in a new session. The log is append-only, so the
 * original session keeps its conversation. Returns the id of the new session. Throws if the daemon refuses.
 */
export async function resendMessage({
  session,
  seq,
  hasTurnBefore,
  text,
  attachments,
  files,
}: Resend): Promise<string> {
  const created = hasTurnBefore
    ? await client.turns.fork(session.id, forkBody(seq, files))
    : await client.sessions.create(settingsOf(session));
  storeSession(created);
  await sendMessage(created.id, { text, attachments: [...attachments] });
  return created.id;
}

/** Without `files` the daemon creates a lane where it can, and else continues in the same folder. */
export function forkBody(seq: number, files: ResendFiles): ForkSession {
  return { at: seq - 1, ...(files === "lane" ? {} : { files }) };
}

/** A session without a turn before the message has nothing to fork: a new one with the same settings is the same. */
export function settingsOf(session: SessionView): CreateSession {
  const { agent, model, mode, effort, controls, cwd, lane, folders, title } = session;
  return {
    agent,
    mode,
    title,
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    ...(controls ? { controls } : {}),
    ...(folders ? { folders } : {}),
    ...(lane ? { lane } : { cwd }),
  };
}
