import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type Attachment, GantryError } from "@gantry/protocol";

const LARGEST = 100 * 1024 * 1024;

/** The folder for copies of a launch's attachments. Sessions may read there, whatever their folder is. */
export function uploadsOf(home: string, launch: string): string {
  return join(home, "uploads", launch);
}

/** Copies every attached file, so that all lanes get the same bytes. Idempotent. Throws `invalid`. */
export function keepAttachments(folder: string, attachments: readonly Attachment[]): void {
  attachments.forEach(({ path }, index) => {
    if (path === undefined) return;
    const copy = copyOf(folder, path, index);
    if (existsSync(copy)) return;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) throw new GantryError("invalid", `${path} is not a file, so it cannot be attached.`);
    if (stat.size > LARGEST) throw new GantryError("invalid", `${path} is too large to attach.`);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    copyFileSync(path, `${copy}.part`);
    renameSync(`${copy}.part`, copy);
  });
}

/** The attachments for a lane's agent: the lane's own file if it is identical, else the copy. */
export function attachmentsFor(
  attachments: readonly Attachment[],
  { folder, root, lane }: { folder: string; root: string; lane: string },
): Attachment[] {
  return attachments.map((attachment, index) => {
    const { path } = attachment;
    if (path === undefined) return attachment;
    const copy = copyOf(folder, path, index);
    const inside = relative(root, path);
    const own = inside.startsWith("..") ? undefined : join(lane, inside);
    return { ...attachment, path: own && isSameFile(own, copy) ? own : copy };
  });
}

function copyOf(folder: string, path: string, index: number): string {
  return join(folder, String(index + 1), basename(path));
}

function isSameFile(one: string, other: string): boolean {
  try {
    return statSync(one).size === statSync(other).size && readFileSync(one).equals(readFileSync(other));
  } catch {
    return false;
  }
}
