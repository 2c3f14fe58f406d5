import {
  attachmentTag,
  escapeHtml,
  noteBlock,
  preBlock,
  textBlock,
  thoughtBlock,
  toolBlock,
  userBlock,
} from "@gantry/terminal/html";
import type { Entry } from "../../contract/session-store.ts";

/** A message or entry of the file. A damaged file may have any value in any field. */
type Loose = Record<string, unknown>;

const NAMES: Record<string, string> = {
  user: "",
  assistant: "Assistant",
  toolResult: "",
  custom: "Note",
  compaction: "Compaction",
  branch_summary: "Summary of another branch",
  model_change: "Model",
  thinking_level_change: "Thinking",
  bashExecution: "",
  developer: "Program",
  session_init: "",
  mode_change: "Mode",
};
const CONVERSATION = ["user", "assistant", "toolResult", "bashExecution"];

/** The role of a message, or the type of any other entry. */
export function kindOf(entry: Entry): string {
  if (entry.type === "message") return String(entry.message.role);
  return entry.type === "custom_message" ? "custom" : entry.type;
}

/** One line for the tree. */
export function rowText(entry: Entry): string {
  return oneLine(plainText(entry), 90) || kindOf(entry);
}

/** The class of an entry's article. */
export function lookOf(entry: Entry): string {
  const kind = kindOf(entry);
  return CONVERSATION.includes(kind) ? kind : "aside";
}

/** An entry as HTML, without its article element. */
export function entryHtml(entry: Entry, label: string | undefined): string {
  const kind = kindOf(entry);
  const heading = [NAMES[kind] ?? kind, str(messageOf(entry).model ?? ""), label ? `★ ${label}` : ""].filter(Boolean);
  const author = heading.length === 0 || kind === "model_change" ? "" : heading.join(" · ");
  const head = author ? `<span class="author">${escapeHtml(author)}</span>` : "";
  return head + bodyOf(entry, kind);
}

function bodyOf(entry: Entry, kind: string): string {
  const message = messageOf(entry);
  const { content } = message;
  if (kind === "user") return userBlock(textOf(content), formatTime(entry.timestamp), imagesOf(content));
  if (kind === "toolResult") {
    const title = `Result of ${str(message.toolName)}: ${oneLine(textOf(content), 90)}`;
    const status = message.isError ? "error" : "ok";
    return toolBlock({ title, status, bodyHtml: preBlock(textOf(content)) }) + imagesOf(content);
  }
  if (kind === "bashExecution") {
    const status = Number(message.exitCode) > 0 ? "error" : "ok";
    return toolBlock({
      title: `$ ${str(message.command)}`,
      mono: true,
      status,
      bodyHtml: preBlock(str(message.output)),
    });
  }
  if (kind === "session_init")
    return toolBlock({ title: "System prompt", status: "open", bodyHtml: preBlock(str(message.systemPrompt)) });
  if (!["developer", "assistant", "custom"].includes(kind)) return textBlock(plainText(entry));
  const failure = message.errorMessage ? noteBlock(str(message.errorMessage), "error") : "";
  return blocksOf(content) + failure;
}

function blocksOf(content: unknown): string {
  if (!Array.isArray(content)) return textBlock(textOf(content));
  return content.filter(Boolean).map(blockHtml).join("");
}

function blockHtml(block: Loose): string {
  if (block.type === "image") return imageHtml(block);
  if (block.type === "thinking") return thoughtBlock(str(block.thinking));
  if (block.type !== "toolCall") return textBlock(str(block.text));
  const title = `${str(block.name)} ${oneLine(JSON.stringify(block.arguments ?? {}), 110)}`;
  return toolBlock({ title, status: "open", bodyHtml: preBlock(JSON.stringify(block.arguments, null, 2) ?? "") });
}

function imagesOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .filter((block) => block?.type === "image")
    .map(imageHtml)
    .join("");
}

function imageHtml({ mimeType, data }: Loose): string {
  return attachmentTag({ name: "image", mime: str(mimeType), data: str(data) });
}

function plainText(entry: Entry): string {
  const message = messageOf(entry);
  if (message.role === "bashExecution") return `$ ${str(message.command)}\n${str(message.output)}`;
  const { summary, model, thinkingLevel, label, mode, customType } = message;
  return textOf(message.content) || str(summary ?? model ?? thinkingLevel ?? label ?? mode ?? customType);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((block: Loose | null) =>
    str(block?.text ?? block?.thinking ?? (block?.type === "toolCall" ? `→ ${str(block.name)}` : "")),
  );
  return parts.filter(Boolean).join("\n");
}

function messageOf(entry: Entry): Loose {
  return (entry.type === "message" ? entry.message : entry) as unknown as Loose;
}

function formatTime(timestamp: string): string {
  return timestamp.slice(0, 16).replace("T", " ");
}

function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

function str(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
