import type { Attachment } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, text, textBetween } from "../../fields.ts";

/** Text that Claude Code inserts in the user's name. */
const OURS = /^<(local-command|command-message|bash-|task-notification|system-reminder)/;
export const INTERRUPTED = /^\[Request interrupted by user/;

/** Whether this line is a user prompt, not a tool result, internal note or summary. */
export function isPrompt(entry: Fields): boolean {
  if (entry.type !== "user" || entry.isMeta === true || entry.isSidechain === true) return false;
  if (entry.isCompactSummary === true || entry.isVisibleInTranscriptOnly === true) return false;
  const { content } = fields(entry.message);
  const blocks = list(content).map(fields);
  if (blocks.some((block) => block.type === "tool_result")) return false;
  const prompt = promptText(content);
  if (OURS.test(prompt) || INTERRUPTED.test(prompt)) return false;
  return prompt !== "" || blocks.some((block) => block.type === "image" || block.type === "document");
}

/** The text of a message; a slash command as typed. */
export function promptText(content: unknown): string {
  const prompt = typeof content === "string" ? content : blockText(content);
  const command = /^<command-name>(.*?)<\/command-name>/s.exec(prompt.trimStart())?.[1];
  if (command === undefined) return prompt;
  const given = textBetween(prompt, "<command-args>", "</command-args>") ?? "";
  return `${command} ${given}`.trim();
}

export function blockText(content: unknown): string {
  return list(content)
    .flatMap((block) => text(fields(block).text) ?? [])
    .join("\n");
}

/** Attached images and documents. */
export function attachmentsOf(content: unknown): Attachment[] {
  return list(content)
    .map(fields)
    .flatMap(({ type, source }) => {
      const { data, media_type } = fields(source);
      if ((type !== "image" && type !== "document") || typeof data !== "string") return [];
      return [compact({ name: type, mime: nonBlank(media_type), data })];
    });
}

/** The output of a local command, without its tags. */
export function commandOutput(content: unknown): string | undefined {
  const output = text(content)?.replace(/<\/?local-command-\w+>/g, "");
  return nonBlank(output);
}
