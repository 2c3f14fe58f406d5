import { fileURLToPath } from "node:url";
import { type Attachment, GantryError } from "@gantry/protocol";

/** A content block of either protocol version, as far as a prompt uses it. */
export type PromptBlock = {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string | null;
  uri?: string | null;
  name?: string;
  resource?: unknown;
};

type Resource = { uri?: string; text?: string; blob?: string; mimeType?: string | null };

/** A text resource up to this size is part of the message; a larger one becomes a file. */
const INLINE_CHARS = 32_768;

/**
 * The message for a prompt. Images and files become attachments; text resources become part of the text. Throws `invalid`
 * for blocks that no agent reads, and for a prompt without content.
 */
export function readPrompt(blocks: readonly PromptBlock[]): { text: string; attachments: Attachment[] } {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const block of blocks) {
    const part = readBlock(block, attachments.length + 1);
    if (typeof part === "string") texts.push(part);
    else attachments.push(part);
  }
  const text = joinTexts(texts);
  if (text.trim() !== "") return { text, attachments };
  if (attachments.length === 0) throw new GantryError("invalid", "The prompt is empty.");
  return { text: "See the attached files.", attachments };
}

function readBlock(block: PromptBlock, place: number): string | Attachment {
  const { type, text, data, mimeType, uri, name, resource } = block;
  if (type === "text") return text ?? "";
  if (type === "image") return attachment(nameOf(uri, `image-${place}`, mimeType), mimeType, data);
  if (type === "resource_link") return mention(uri ?? "", name);
  if (type === "resource") return readResource((resource ?? {}) as Resource, place);
  throw new GantryError("invalid", `A prompt cannot contain content of the type ${type}.`, {
    remedy: "Send text, images, links and embedded resources.",
  });
}

function readResource({ uri = "", text, blob, mimeType }: Resource, place: number): string | Attachment {
  const name = nameOf(uri, `resource-${place}`, mimeType);
  if (text === undefined) return attachment(name, mimeType, blob);
  if (text.length > INLINE_CHARS)
    return attachment(name, mimeType ?? "text/plain", Buffer.from(text).toString("base64"));
  return `\n<resource uri="${uri.replaceAll('"', "%22")}">\n${text}\n</resource>\n`;
}

function attachment(name: string, mime: string | null | undefined, data: string | undefined): Attachment {
  return { name, ...(mime ? { mime } : {}), data: data ?? "" };
}

/** A file is named by its path, as people write it; other links by their address. */
function mention(uri: string, name: string | undefined): string {
  const path = pathOf(uri);
  if (path !== undefined) return `@${path}`;
  return name && name !== uri ? `[${name}](${uri})` : uri;
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri.split("#")[0] ?? uri) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(uri: string | null | undefined, fallback: string, mime: string | null | undefined): string {
  const last = (uri ?? "").split(/[?#]/)[0]?.split("/").at(-1);
  if (last && /^[\w.-]+$/.test(last)) return last.slice(-255);
  const kind = /^\w+\/([a-z0-9]+)/.exec(mime ?? "")?.[1];
  return kind ? `${fallback}.${kind}` : fallback;
}

/** Blocks of a prompt are one text: a mention stays in its sentence. */
function joinTexts(texts: readonly string[]): string {
  return texts.reduce((whole, next) => {
    const needsSpace = whole !== "" && next !== "" && !/\s$/.test(whole) && !/^\s/.test(next);
    return `${whole}${needsSpace ? " " : ""}${next}`;
  }, "");
}
