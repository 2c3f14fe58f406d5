import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { GantryError, type LeftOut } from "@gantry/protocol";
import type { IgnoredFiles } from "./ignored-files.ts";
import { nulTerminated, onDisk, type RawPath, rawPath, rawPaths, readablePath } from "./paths.ts";
import type { Shadow } from "./shadow.ts";

export type Limits = { fileBytes: number; untrackedFiles: number };

/** Yields to the event loop after this many files. */
const AT_ONCE = 500;

/** The folder has too many files for checkpoints. `message` and `remedy` are for the session's log. */
export class TooManyFiles extends GantryError {
  constructor(message: string, remedy: string) {
    super("unsupported", message, { remedy });
  }
}

/** The inputs of an index update. `drops`: files that became ignored may be dropped. */
export type IndexUpdate = { shadow: Shadow; limits: Limits; ignored: IgnoredFiles; drops: boolean };

/**
 * Updates the index to the work tree without ignored files. Returns the files that could not be added. Throws
 * `TooManyFiles` or git's errors.
 */
export async function updateIndex({ shadow, limits, ignored, drops }: IndexUpdate): Promise<LeftOut[]> {
  const [changed, fresh] = await Promise.all([changedPaths(shadow), freshPaths(shadow)]);
  await checkCount(shadow, fresh.length, limits);
  const { added, dropped } = await ignored.check(shadow, [...changed, ...fresh], drops);
  const sorted = await sort(shadow, [...new Set([...changed, ...fresh, ...added])], limits);
  const inIndex = new Set(changed);
  const gone = [...sorted.large.filter((path) => inIndex.has(path)), ...dropped];
  if (gone.length > 0) await update(shadow, ["--force-remove"], gone);
  const goes = new Set(dropped);
  const taken = sorted.taken.filter((path) => !goes.has(path));
  const refused = taken.length > 0 ? await updateReadable(shadow, taken) : [];
  return [...sorted.left, ...refused];
}

/** Files whose timestamps or sizes differ from the index, including deleted ones. */
async function changedPaths(shadow: Shadow): Promise<RawPath[]> {
  const args = ["diff-files", "--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];
  return rawPaths((await shadow.read(args)).bytes);
}

/** Files that are neither in the index nor ignored. A nested repository ends with a slash. */
async function freshPaths(shadow: Shadow): Promise<RawPath[]> {
  const { bytes } = await shadow.read(["ls-files", "-z", "--others", "--exclude-standard"]);
  return rawPaths(bytes).map((path) => path.replace(/\/$/, "") as RawPath);
}

/** In a new index all files are new, so files that the user's git tracks are not counted. */
async function checkCount(shadow: Shadow, fresh: number, { untrackedFiles }: Limits): Promise<void> {
  if (fresh <= untrackedFiles) return;
  const tracked = rawPaths((await shadow.look(["ls-files", "-z"])).bytes).length;
  if (fresh <= untrackedFiles + tracked) return;
  const message = `${shadow.place.root} has about ${fresh - tracked} files that git neither tracks nor ignores`;
  throw new TooManyFiles(
    message,
    "Add files that need no checkpoint to .gitignore, or raise checkpoints.untrackedFiles in config.yml.",
  );
}

type Sorted = { taken: RawPath[]; large: RawPath[]; left: LeftOut[] };

async function sort(shadow: Shadow, paths: readonly RawPath[], { fileBytes }: Limits): Promise<Sorted> {
  const { root } = shadow.place;
  const sorted: Sorted = { taken: [], large: [], left: [] };
  for (const [index, path] of paths.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    const stats = look(root, path);
    if (stats?.isFile() && stats.size > fileBytes) {
      sorted.large.push(path);
      sorted.left.push({
        path: readablePath(root, root, path),
        why: `larger than ${Math.round(fileBytes / 1024 / 1024)} MB`,
      });
    } else if (stats?.isDirectory() && !(await hasCommit(shadow, path))) {
      sorted.left.push({ path: readablePath(root, root, path), why: "a separate repository without a commit" });
    } else sorted.taken.push(path);
  }
  return sorted;
}

/** For a folder that git treats as a repository. A file that became a folder is not one. */
async function hasCommit(shadow: Shadow, path: RawPath): Promise<boolean> {
  const folder = onDisk(shadow.place.root, path).toString();
  const isRepository = look(shadow.place.root, rawPath(`${Buffer.from(path, "latin1")}/.git`)) !== undefined;
  if (!isRepository) return true;
  const { code } = await shadow.look(["-C", folder, "rev-parse", "--verify", "--quiet", "HEAD"], { answers: [1, 128] });
  return code === 0;
}

function look(root: string, path: RawPath): Stats | undefined {
  try {
    return lstatSync(onDisk(root, path));
  } catch {
    return undefined;
  }
}

/** Git stops at the first unreadable file. Then the unreadable files are omitted and the others added again. */
async function updateReadable(shadow: Shadow, paths: readonly RawPath[]): Promise<LeftOut[]> {
  try {
    await update(shadow, ["--add", "--remove", "--replace"], paths);
    return [];
  } catch (error) {
    const unreadable = new Set(paths.filter((path) => !isReadable(shadow.place.root, path)));
    if (unreadable.size === 0) throw error;
    const rest = paths.filter((path) => !unreadable.has(path));
    await update(shadow, ["--add", "--remove", "--replace"], rest);
    const { root } = shadow.place;
    return [...unreadable].map((path) => ({ path: readablePath(root, root, path), why: "cannot be read" }));
  }
}

function isReadable(root: string, path: RawPath): boolean {
  const stats = look(root, path);
  if (!stats?.isFile()) return true;
  try {
    accessSync(onDisk(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

async function update(shadow: Shadow, how: readonly string[], paths: readonly RawPath[]): Promise<void> {
  await shadow.write(["update-index", ...how, "-z", "--stdin"], { input: nulTerminated(paths) });
}
