import { handoffMessages, saveHandoff } from "../../compaction/handoff.ts";
import type { Guard } from "../../contract/ports.ts";
import { SessionError } from "../../contract/session.ts";
import type { SessionParts } from "../assemble/assemble.ts";
import { requestText } from "./request-text.ts";

/** Asks the model for a handoff document. Throws a `SessionError` for an empty session. `savedPath`: its file, if saved. */
export async function writeHandoff(
  { transcript, ask, settings }: SessionParts,
  guard: Guard | undefined,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<{ text: string; savedPath?: string }> {
  if (transcript.messages.length === 0) throw new SessionError("Nothing to hand off (session is empty)");
  const messages = handoffMessages(transcript.messages, instructions);
  const askModelOnce = () => ask({ messages, toolChoice: "none", signal });
  const { text, usage } = await requestText({ signal }, askModelOnce, settings.retry, guard);
  transcript.recordUsage(usage);
  const { file } = transcript.store;
  const savedPath = settings.compaction.handoffSaveToDisk ? await saveHandoff(file, text) : undefined;
  return savedPath === undefined ? { text } : { text, savedPath };
}
