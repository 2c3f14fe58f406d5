import type { Attachment } from "@gantry/protocol";
import { compact, fields, list, text } from "../../fields.ts";

/** What Codex itself says in the user's name. */
const ASIDE =
  /^\s*(<(environment_context|user_instructions|turn_aborted|user_shell_command|skill|subagent_notification|permissions|collaboration_mode|INSTRUCTIONS|apps_instructions|skills_instructions)|# AGENTS\.md instructions)/;

export function isAside(said: string): boolean {
  return ASIDE.test(said);
}

/** The text in a message's content, whatever the parts are called. */
export function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

/** Pictures in a message, as data. */
export function picturesOf(content: unknown): Attachment[] {
  return list(content).flatMap((part) => {
    const url = text(fields(part).image_url) ?? "";
    const [, mime, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? [];
    return mime && data ? [compact({ name: "image", mime, data })] : [];
  });
}
