import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../contract/tool.ts";
import { fileErrorText } from "./load.ts";
import { codeOf } from "./path.ts";
import { PinnedFolders } from "./pinned-folder.ts";

const RESTORE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * The change of one file to `after` (`undefined`: delete it). `before` is the content that the change is based on;
 * `undefined`: the file did not exist. `mode` applies to a new file.
 */
export type FileChange = {
  path: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  mode?: number;
};

/** `entry`: the file's path through its open folder. */
type Staged = { change: FileChange; entry: string; temporary?: string; inPlace: boolean };

/**
 * Makes all changes or none. Each file is replaced atomically, so a reader never sees half of it. If any file no longer has
 * its `before` content, nothing is changed. Paths are real paths, each at most once.
 */
export async function changeFiles(changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const folders: string[] = [];
  const pinned = new PinnedFolders();
  const staged: Staged[] = [];
  const done: Staged[] = [];
  try {
    for (const change of changes) staged.push(await stage(change, folders, pinned));
    for (const one of staged) await assertUnchanged(one);
    if (signal.aborted) throw new ToolError("Aborted; nothing was changed.");
    for (const one of staged) {
      done.push(one);
      await commit(one);
    }
  } catch (error) {
    const lost = await restoreFiles(done);
    for (const one of staged) if (one.temporary) await rm(one.temporary, { force: true });
    for (const folder of folders.reverse()) await rmdir(folder).catch(() => {});
    const message = error instanceof ToolError ? error.message : fileErrorText(error, staged.at(-1)?.change.path ?? "");
    throw new ToolError([message, ...lost].join("\n"), { cause: error });
  } finally {
    pinned.close();
  }
}

/** Renames a file or folder, and creates the folders of its target. Both are real paths. Never replaces a file. */
export async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await throughPinned([from, to], async ([source = "", target = ""]) => {
    if (await lstat(target).catch(() => undefined)) throw new ToolError(`${to} already exists.`);
    await rename(source, target);
  });
}

/** Deletes a file or folder. The path is a real path. */
export async function removeFile(path: string): Promise<void> {
  await throughPinned([path], async ([entry = ""]) => rm(entry, { recursive: true }));
}

async function throughPinned(paths: readonly string[], use: (entries: string[]) => Promise<void>): Promise<void> {
  const pinned = new PinnedFolders();
  try {
    await use(paths.map((path) => pinned.locate(path)));
  } finally {
    pinned.close();
  }
}

async function stage(change: FileChange, folders: string[], pinned: PinnedFolders): Promise<Staged> {
  if (!change.after) return { change, entry: pinned.locate(change.path), inPlace: false };
  const folder = dirname(change.path);
  const first = await mkdir(folder, { recursive: true });
  for (let at = folder; first && at.length >= first.length; at = dirname(at)) folders.unshift(at);
  const entry = pinned.locate(change.path);
  const info = await lstat(entry).catch(() => undefined);
  // Replacing a file with several hard links would separate them.
  if (info && info.nlink > 1) return { change, entry, inPlace: true };
  const temporary = pinned.locate(join(folder, `.gantry-${randomBytes(6).toString("hex")}.tmp`));
  const file = await open(temporary, "wx", change.mode ?? 0o666).catch((error) => {
    if (info && codeOf(error) === "EACCES") return undefined;
    throw new ToolError(fileErrorText(error, change.path));
  });
  if (!file) return { change, entry, inPlace: true };
  const staged = { change, entry, temporary, inPlace: false };
  try {
    await file.writeFile(change.after);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  if (info || change.mode !== undefined) await chmod(temporary, (info?.mode ?? change.mode!) & 0o7777);
  if (info) {
    if (info.uid !== process.getuid?.() || info.gid !== process.getgid?.()) {
      await chown(temporary, info.uid, info.gid).catch(() => {});
    }
  }
  return staged;
}

async function assertUnchanged({ change: { path, before }, entry }: Staged): Promise<void> {
  const now = await readEntry(entry).catch((error) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new ToolError(fileErrorText(error, path));
  });
  const same = before ? now?.equals(before) : !now;
  if (!same) throw new ToolError(`${path} was changed meanwhile; nothing was changed. Read it again.`);
}

/** A link in place of the file is not followed: it was not there when the path was resolved. */
function readEntry(entry: string): Promise<Buffer> {
  return readFile(entry, { flag: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK });
}

function overwriteEntry(entry: string, content: Buffer): Promise<void> {
  return writeFile(entry, content, { flag: constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW });
}

async function commit({ change, entry, temporary, inPlace }: Staged): Promise<void> {
  if (inPlace) return overwriteEntry(entry, change.after!);
  if (!temporary) return unlink(entry);
  if (change.before) return rename(temporary, entry);
  // Unlike a rename, a link never replaces a file that was created meanwhile.
  try {
    await link(temporary, entry);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new ToolError(`${change.path} was created meanwhile; nothing was changed.`);
    return rename(temporary, entry);
  }
  await unlink(temporary);
}

/** Restores the files. Returns messages for those that could not be restored. */
async function restoreFiles(done: readonly Staged[]): Promise<string[]> {
  const lost: string[] = [];
  for (const { change, entry } of done.toReversed()) {
    const { before, after } = change;
    try {
      const now = await readEntry(entry).catch(() => undefined);
      const ours = after ? now?.equals(after) : !now;
      if (!ours) continue;
      if (!before) await rm(entry, { force: true });
      else await writeFile(entry, before, { flag: RESTORE });
    } catch (error) {
      lost.push(`A file could not be restored: ${fileErrorText(error, change.path)}`);
    }
  }
  return lost;
}
