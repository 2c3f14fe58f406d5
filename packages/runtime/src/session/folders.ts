import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { type Attachment, type CreateSession, GantryError } from "@gantry/protocol";
import { isSlashCommand } from "./engine/prompts.ts";

/** The real path of a folder, by default the daemon's own. Throws `invalid`. */
export function sessionFolder({ cwd = process.cwd() }: Pick<CreateSession, "cwd">): string {
  if (!isAbsolute(cwd)) throw new GantryError("invalid", `cwd must be an absolute path, not ${cwd}.`);
  const real = realPath(cwd);
  if (!real || !statSync(real).isDirectory()) {
    throw new GantryError("invalid", `${cwd} is not a folder.`, { remedy: "Create it, or pass another folder." });
  }
  return real;
}

/**
 * The attachments of a message with real paths. Files must be inside the session's folder or the upload folder after links
 * are resolved. Throws `invalid`, `outside_folder`, or `unsupported` for attachments to a slash command.
 */
export function checkAttachments(
  { text, attachments = [] }: { text?: string; attachments?: Attachment[] },
  cwd: string,
  home: string,
): Attachment[] {
  if (text && attachments.length > 0 && isSlashCommand(text)) {
    throw new GantryError("unsupported", "A slash command cannot have attachments.", {
      remedy: "Send the files with a separate message, then the command.",
    });
  }
  const roots = fileRoots(cwd, home);
  return attachments.map((attachment) => {
    if (attachment.path === undefined && attachment.data === undefined) {
      throw new GantryError("invalid", "An attachment needs `path` or `data`.");
    }
    if (attachment.path === undefined) return attachment;
    const path = realPath(resolve(cwd, attachment.path));
    if (!path) throw new GantryError("invalid", `${attachment.path} does not exist.`);
    if (roots.some((root) => path.startsWith(root + sep))) return { ...attachment, path };
    throw new GantryError("outside_folder", `${attachment.path} is outside the session's folder.`, {
      remedy: `Copy it into ${cwd} first.`,
    });
  });
}

/** The real paths of the folders in which a session's files may be: its own and the uploads. */
export function fileRoots(cwd: string, home: string): string[] {
  return [cwd, realPath(join(home, "uploads")) ?? join(home, "uploads")];
}

/** `undefined` if the path does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
