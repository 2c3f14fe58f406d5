import type { Attachment } from "@gantry/protocol";
import type { DraftFile, DraftWords } from "../store/drafts.ts";

/** A draft as it is sent. */
export type Composed = { text: string; attachments?: Attachment[] };

/** The text first, then the attached contexts. Files without text are named, because a message needs text. */
export function composeMessage(words: DraftWords, files: readonly DraftFile[]): Composed | undefined {
  const parts = [words.text.trim(), ...words.contexts.map(({ title, text }) => `${title}:\n\n${text}`)];
  const body = parts.filter((part) => part !== "").join("\n\n");
  if (body === "" && files.length === 0) return undefined;
  const names = files.map(({ attachment }) => attachment.name ?? "a file").join(", ");
  const text = body === "" ? `Attached: ${names}` : body;
  return files.length === 0 ? { text } : { text, attachments: files.map(({ attachment }) => attachment) };
}
