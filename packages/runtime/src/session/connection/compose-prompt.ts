import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";
import type { Attachment, Kit } from "@gantry/protocol";
import { readRegularFile } from "@gantry/trust";
import type { Channel } from "../../agents/contract.ts";
import { withoutRelativePath } from "../../agents/finding/environment.ts";
import { takesSkills } from "../../agents/kit/support.ts";
import { isSlashCommand } from "../engine/prompts.ts";

/** Context that an agent gets before its first prompt. */
export type PromptContext = {
  kit: Kit;
  /** The agent's version, which decides what the channel can pass natively. */
  version?: string | undefined;
  /** The working folder and its files, for an agent that does not look itself. */
  folder?: { cwd: string; files: readonly string[]; more: number };
  /** The brief of a conversation that is rebuilt from the log. */
  brief?: string;
  /** Further folders of the session, for an agent that does not get them in another way. */
  named?: readonly string[];
};

const IMAGES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const MAX_IMAGE = 10 * 1024 * 1024;
const MAX_TEXT = 256 * 1024;

/**
 * The text before the first prompt of a conversation: the parts of the kit that the channel cannot pass natively, and the
 * brief of a rebuilt conversation. `undefined` if there is none.
 */
export function composePreface(
  channel: Channel<never>,
  { kit, version, folder, brief, named = [] }: PromptContext,
): string | undefined {
  const parts = [
    channel.takes?.instructions ? undefined : kit.instructions,
    takesSkills(channel, version) ? undefined : skillList(kit),
    folder && folderHint(folder),
    named.length > 0 && `You may also work in these folders:\n${named.join("\n")}`,
  ].filter((part) => part);
  const context = parts.length > 0 ? `<context>\n${parts.join("\n\n")}\n</context>` : undefined;
  return [context, brief].filter((part) => part).join("\n\n") || undefined;
}

function skillList({ skills }: Kit): string | undefined {
  if (skills.length === 0) return undefined;
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (${path}/SKILL.md)`);
  return `Skills that may help. Before you use one, read its file:\n${lines.join("\n")}`;
}

function folderHint({ cwd, files, more }: NonNullable<PromptContext["folder"]>): string {
  const where = `You work in ${cwd}. Read and write files there.`;
  if (files.length === 0) return `${where} It is empty.`;
  const rest = more > 0 ? `\n(and ${more} more)` : "";
  return `${where} Files in it:\n${files.join("\n")}${rest}`;
}

/**
 * Attachments with the bytes of images on disk, so that they reach the model as images. An unreadable or too large image
 * stays a path.
 */
export function loadAttachments(attachments: readonly Attachment[]): Attachment[] {
  return attachments.map((attachment) => {
    const { path, data } = attachment;
    const mime = attachment.mime ?? imageType(path ?? attachment.name);
    const typed = mime ? { ...attachment, mime } : attachment;
    if (!path || data !== undefined || !mime?.startsWith("image/")) return typed;
    const bytes = readImage(path);
    return bytes ? { ...typed, data: bytes.toString("base64") } : typed;
  });
}

function imageType(name: string | undefined): string | undefined {
  return name ? IMAGES[extname(name).toLowerCase()] : undefined;
}

function readImage(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, MAX_IMAGE);
  } catch {
    return undefined;
  }
}

/** An attachment without a file, to be written under this name into the process's folder. */
export type UnsavedAttachment = { name: string; data: Buffer };

/**
 * A prompt for a channel that takes text only: files become paths, texts are inlined. `save` writes an attachment that
 * has no file and returns its path.
 */
export function promptAsText(
  text: string,
  attachments: readonly Attachment[],
  save: (attachment: UnsavedAttachment) => string,
): string {
  if (attachments.length === 0 || isSlashCommand(text)) return text;
  const lines = attachments.map((attachment, index) => {
    const { path, data = "", mime = "" } = attachment;
    if (path) return `Attached file: ${path}`;
    const bytes = Buffer.from(data, "base64");
    const name = basename(attachment.name ?? "") || `attachment-${index + 1}`;
    const readable = mime.startsWith("text/") || (!mime && !bytes.includes(0));
    if (readable && bytes.length <= MAX_TEXT) return `Attached file ${name}:\n${bytes.toString("utf8")}`;
    return `Attached file: ${save({ name: `${index + 1}-${name}`, data: bytes })}`;
  });
  return `${text}\n\n${lines.join("\n\n")}`;
}

const run = promisify(execFile);
const MAX_FILES = 100;
const MAX_DEPTH = 3;

/**
 * The files of a folder, for an agent that does not list them itself: tracked and untracked files by git, else files up
 * to three folders deep without hidden ones. At most a hundred, and the number of the others. Never throws.
 */
export async function listFiles(cwd: string): Promise<{ files: string[]; more: number }> {
  const all = ((await fromGit(cwd)) ?? (await walk(cwd, "", 1))).sort();
  return { files: all.slice(0, MAX_FILES), more: Math.max(0, all.length - MAX_FILES) };
}

async function fromGit(cwd: string): Promise<string[] | undefined> {
  // A repository can configure a monitor, which is a program.
  const args = [
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ];
  const options = { cwd, env: withoutRelativePath(process.env), timeout: 5000, maxBuffer: 32 * 1024 * 1024 };
  return run("git", args, options).then(
    ({ stdout }) => stdout.split("\0").filter((name) => name !== ""),
    () => undefined,
  );
}

async function walk(root: string, folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const lists = entries
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .map(async (entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return depth < MAX_DEPTH ? walk(root, path, depth + 1) : [`${path}/`];
    });
  return (await Promise.all(lists)).flat();
}
