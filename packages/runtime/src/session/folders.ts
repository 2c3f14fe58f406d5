import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { type Attachment, type CreateSession, GantryError } from "@gantry/protocol";

/** The real folder that a new session works in. Throws `invalid` or `unsupported`. */
export function sessionFolder({ cwd = process.cwd(), lane }: Pick<CreateSession, "cwd" | "lane">): string {
  if (lane !== undefined) {
    throw new GantryError("unsupported", "Lanes are not available yet.", { remedy: "Give `cwd` instead." });
  }
  if (!isAbsolute(cwd)) throw new GantryError("invalid", `cwd must be an absolute path, not ${cwd}.`);
  const real = realPath(cwd);
  if (!real || !statSync(real).isDirectory()) {
    throw new GantryError("invalid", `${cwd} is not a folder.`, { remedy: "Create it, or name another folder." });
  }
  return real;
}

/** Attachments with real paths. Files must lie inside the session's folder or the upload folder, also behind links. */
export function checkAttachments(attachments: Attachment[] | undefined, cwd: string, home: string): Attachment[] {
  const roots = [cwd, join(home, "uploads")];
  return (attachments ?? []).map((attachment) => {
    if (attachment.path === undefined) return attachment;
    const path = realPath(resolve(cwd, attachment.path));
    if (!path) throw new GantryError("invalid", `${attachment.path} does not exist.`);
    if (roots.some((root) => path.startsWith(root + sep))) return { ...attachment, path };
    throw new GantryError("outside_folder", `${attachment.path} lies outside the session's folder.`, {
      remedy: `Copy it into ${cwd} first.`,
    });
  });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
