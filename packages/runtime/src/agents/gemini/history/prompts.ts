import type { Attachment } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, text } from "../../fields.ts";

/** Text that the program inserts in the user's name. */
const ASIDE = /^\s*<(session_context|state_snapshot|hook_context|loaded_context)/;

export function promptText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

/** Whether it is a user prompt, not a tool result or inserted text. */
export function isPrompt({ type, content }: Fields): boolean {
  if (type !== "user") return false;
  const prompt = promptText(content);
  return prompt !== "" && !ASIDE.test(prompt);
}

export function picturesOf(content: unknown): Attachment[] {
  return list(content).flatMap((part) => {
    const { data, mimeType } = fields(fields(part).inlineData);
    return typeof data === "string" ? [compact({ name: "image", mime: nonBlank(mimeType), data })] : [];
  });
}
