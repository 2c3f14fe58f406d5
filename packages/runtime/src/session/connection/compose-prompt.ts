import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import type { Attachment, Kit } from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";

/** What an agent is told that has no other way to learn it. */
export type Surroundings = {
  kit: Kit;
  /** Where the agent works and what is there, for one that does not look by itself. */
  folder?: { cwd: string; files: readonly string[]; more: number };
  /** What was said before, when a conversation goes on without its native memory. */
  brief?: string;
};

const IMAGES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const LARGEST_IMAGE = 10 * 1024 * 1024;
const LONGEST_TEXT = 256 * 1024;

/** A slash command is the agent's own: nothing may stand before or after it. A path such as `/usr/bin` is none. */
export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][\w:.-]*(\s|$)/.test(text);
}

/**
 * The words that go before the first prompt of a conversation: of the kit what the channel does not hand over by the
 * agent's own means, and the brief of a rebuilt conversation. `undefined` when there is nothing to say.
 */
export function composePreface(channel: Channel<never>, { kit, folder, brief }: Surroundings): string | undefined {
  const parts = [
    channel.takes?.instructions ? undefined : kit.instructions,
    channel.takes?.skills ? undefined : skillList(kit),
    folder && folderHint(folder),
  ].filter((part) => part);
  const standing = parts.length > 0 ? `<context>\n${parts.join("\n\n")}\n</context>` : undefined;
  return [standing, brief].filter((part) => part).join("\n\n") || undefined;
}

function skillList({ skills }: Kit): string | undefined {
  if (skills.length === 0) return undefined;
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (${path}/SKILL.md)`);
  return `Skills that may help. Before you use one, read its file:\n${lines.join("\n")}`;
}

function folderHint({ cwd, files, more }: NonNullable<Surroundings["folder"]>): string {
  const where = `You work in ${cwd}. Read and write files there.`;
  if (files.length === 0) return `${where} It is empty.`;
  const rest = more > 0 ? `\n(and ${more} more)` : "";
  return `${where} Files in it:\n${files.join("\n")}${rest}`;
}

/** The prompt with its preface. A slash command stays as it is; the preface then waits for the next prompt. */
export function withPreface(text: string, preface: string | undefined): { text: string; prefaced: boolean } {
  if (!preface || isSlashCommand(text)) return { text, prefaced: false };
  return { text: `${preface}\n\n${text}`, prefaced: true };
}

/**
 * Attachments as channels want them: pictures on disk with their bytes, so that they reach the model as pictures. What
 * cannot be read, or is too large, stays a path.
 */
export function loaded(attachments: readonly Attachment[]): Attachment[] {
  return attachments.map((attachment) => {
    const { path, data } = attachment;
    const mime = attachment.mime ?? imageType(path ?? attachment.name);
    const typed = mime ? { ...attachment, mime } : attachment;
    if (!path || data !== undefined || !mime?.startsWith("image/")) return typed;
    const bytes = contentOf(path);
    return bytes ? { ...typed, data: bytes.toString("base64") } : typed;
  });
}

function imageType(name: string | undefined): string | undefined {
  return name ? IMAGES[extname(name).toLowerCase()] : undefined;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return statSync(path).size <= LARGEST_IMAGE ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** An attachment that is on no disk and must be put there, under this name in the process's own folder. */
export type Loose = { name: string; data: Buffer };

/**
 * A prompt for a channel that takes words only: files are named by their paths, texts are written out. `place` puts
 * what is on no disk there and gives its path.
 */
export function promptAsText(
  text: string,
  attachments: readonly Attachment[],
  place: (loose: Loose) => string,
): string {
  if (attachments.length === 0 || isSlashCommand(text)) return text;
  const lines = attachments.map((attachment, index) => {
    const { path, data = "", mime = "" } = attachment;
    if (path) return `Attached file: ${path}`;
    const bytes = Buffer.from(data, "base64");
    const name = basename(attachment.name ?? "") || `attachment-${index + 1}`;
    const readable = mime.startsWith("text/") || (!mime && !bytes.includes(0));
    if (readable && bytes.length <= LONGEST_TEXT) return `Attached file ${name}:\n${bytes.toString("utf8")}`;
    return `Attached file: ${place({ name: `${index + 1}-${name}`, data: bytes })}`;
  });
  return `${text}\n\n${lines.join("\n\n")}`;
}
