import type { Attachment } from "@gantry/protocol";
import type { DraftBody, DraftFile } from "../store/outgoing/drafts.ts";

/** The text and attachments of a draft in the form that is sent. */
export type Composed = { text: string; attachments?: Attachment[] };

/** The text first, then the attached contexts. Files without text are named, because a message needs text. */
export function composeMessage(body: DraftBody, files: readonly DraftFile[]): Composed | undefined {
  const parts = [body.text.trim(), ...body.contexts.map(({ title, text }) => `${title}:\n\n${text}`)];
  const joined = parts.filter((part) => part !== "").join("\n\n");
  if (joined === "" && files.length === 0) return undefined;
  const names = files.map(({ attachment }) => attachment.name ?? "a file").join(", ");
  const text = joined === "" ? `Attached: ${names}` : joined;
  return files.length === 0 ? { text } : { text, attachments: files.map(({ attachment }) => attachment) };
}
