import type { Attachment } from "@gantry/protocol";
import type { DraftFile, DraftWords } from "../store/drafts.ts";

/** What a draft becomes when it is sent. */
export type Composed = { text: string; attachments?: Attachment[] };

/** Words first, then what was put beside them. Files alone are named, because a message needs words. */
export function composeMessage(words: DraftWords, files: readonly DraftFile[]): Composed | undefined {
  const parts = [words.text.trim(), ...words.contexts.map(({ title, text }) => `${title}:\n\n${text}`)];
  const said = parts.filter((part) => part !== "").join("\n\n");
  if (said === "" && files.length === 0) return undefined;
  const names = files.map(({ attachment }) => attachment.name ?? "a file").join(", ");
  const text = said === "" ? `Attached: ${names}` : said;
  return files.length === 0 ? { text } : { text, attachments: files.map(({ attachment }) => attachment) };
}
