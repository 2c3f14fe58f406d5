import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../contract/tool.ts";
import { fileErrorText } from "./load.ts";
import { codeOf } from "./path.ts";

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

type Staged = { change: FileChange; temporary?: string; inPlace: boolean };

/**
 * Makes all changes or none. Each file is replaced atomically, so a reader never sees half of it. If any file no longer has
 * its `before` content, nothing is changed. Paths are real paths, each at most once.
 */
export async function changeFiles(changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const folders: string[] = [];
  const staged: Staged[] = [];
  const done: FileChange[] = [];
  try {
    for (const change of changes) staged.push(await stage(change, folders));
    for (const change of changes) await assertUnchanged(change);
    if (signal.aborted) throw new ToolError("Aborted; nothing was changed.");
    for (const one of staged) {
      done.push(one.change);
      await commit(one);
    }
  } catch (error) {
    const lost = await restoreFiles(done);
    for (const one of staged) if (one.temporary) await rm(one.temporary, { force: true });
    for (const folder of folders.reverse()) await rmdir(folder).catch(() => {});
    const message = error instanceof ToolError ? error.message : fileErrorText(error, staged.at(-1)?.change.path ?? "");
    throw new ToolError([message, ...lost].join("\n"), { cause: error });
  }
}

async function stage(change: FileChange, folders: string[]): Promise<Staged> {
  if (!change.after) return { change, inPlace: false };
  const folder = dirname(change.path);
  const first = await mkdir(folder, { recursive: true });
  for (let at = folder; first && at.length >= first.length; at = dirname(at)) folders.unshift(at);
  const info = await stat(change.path).catch(() => undefined);
  // Replacing a file with several hard links would separate them.
  if (info && info.nlink > 1) return { change, inPlace: true };
  const temporary = join(folder, `.gantry-${randomBytes(6).toString("hex")}.tmp`);
  const file = await open(temporary, "wx", change.mode ?? 0o666).catch((error) => {
    if (info && codeOf(error) === "EACCES") return undefined;
    throw new ToolError(fileErrorText(error, change.path));
  });
  if (!file) return { change, inPlace: true };
  const staged = { change, temporary, inPlace: false };
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

async function assertUnchanged({ path, before }: FileChange): Promise<void> {
  const now = await readFile(path).catch((error) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new ToolError(fileErrorText(error, path));
  });
  const same = before ? now?.equals(before) : !now;
  if (!same) throw new ToolError(`${path} was changed meanwhile; nothing was changed. Read it again.`);
}

async function commit({ change, temporary, inPlace }: Staged): Promise<void> {
  if (inPlace) return writeFile(change.path, change.after!);
  if (!temporary) return unlink(change.path);
  if (change.before) return rename(temporary, change.path);
  // Unlike a rename, a link never replaces a file that was created meanwhile.
  try {
    await link(temporary, change.path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new ToolError(`${change.path} was created meanwhile; nothing was changed.`);
    return rename(temporary, change.path);
  }
  await unlink(temporary);
}

/** Restores the files. Returns messages for those that could not be restored. */
async function restoreFiles(done: readonly FileChange[]): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, before, after } of done.toReversed()) {
    try {
      const now = await readFile(path).catch(() => undefined);
      const ours = after ? now?.equals(after) : !now;
      if (!ours) continue;
      if (before) await writeFile(path, before);
      else await rm(path, { force: true });
    } catch (error) {
      lost.push(`A file could not be restored: ${fileErrorText(error, path)}`);
    }
  }
  return lost;
}
