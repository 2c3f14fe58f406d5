import type { Attachment } from "@gantry/protocol";
import { compact, fields, list, text } from "../../fields.ts";

/** Text that Codex inserts in the user's name. */
const ASIDE =
  /^\s*(<(environment_context|user_instructions|turn_aborted|user_shell_command|skill|subagent_notification|permissions|collaboration_mode|INSTRUCTIONS|apps_instructions|skills_instructions)|# AGENTS\.md instructions)/;

export function isAside(prompt: string): boolean {
  return ASIDE.test(prompt);
}

/** The text of a message's content, in any known shape. */
export function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

/** The images in a message. */
export function picturesOf(content: unknown): Attachment[] {
  return list(content).flatMap((part) => {
    const url = text(fields(part).image_url) ?? "";
    const [, mime, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? [];
    return mime && data ? [compact({ name: "image", mime, data })] : [];
  });
}
