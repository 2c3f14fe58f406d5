import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { GantryError, type LeftOut } from "@gantry/protocol";
import type { Ignored } from "./ignored.ts";
import { listed, onDisk, type RawPath, rawPath, rawPaths, seenFrom } from "./paths.ts";
import type { Shadow } from "./shadow.ts";

export type Limits = { fileBytes: number; untrackedFiles: number };

/** So many files are looked at before others get their turn. */
const AT_ONCE = 500;

/** There is too much for checkpoints to be cheap; `message` and `remedy` are for the session's log. */
export class TooMuch extends GantryError {
  constructor(message: string, remedy: string) {
    super("unsupported", message, { remedy });
  }
}

/** What is taken in, and how. `drops`: what is ignored since may go. */
export type Taking = { shadow: Shadow; limits: Limits; ignored: Ignored; drops: boolean };

/**
 * Brings the index up to what lies in the work tree, ignored files left out. Says what could not be taken in. Throws
 * `TooMuch`, or what git says.
 */
export async function takeIn({ shadow, limits, ignored, drops }: Taking): Promise<LeftOut[]> {
  const [changed, fresh] = await Promise.all([changedPaths(shadow), freshPaths(shadow)]);
  await checkCount(shadow, fresh.length, limits);
  const { added, dropped } = await ignored.check(shadow, [...changed, ...fresh], drops);
  const sorted = await sort(shadow, [...new Set([...changed, ...fresh, ...added])], limits);
  const inIndex = new Set(changed);
  const gone = [...sorted.large.filter((path) => inIndex.has(path)), ...dropped];
  if (gone.length > 0) await update(shadow, ["--force-remove"], gone);
  const goes = new Set(dropped);
  const taken = sorted.taken.filter((path) => !goes.has(path));
  const refused = taken.length > 0 ? await updateWhatCan(shadow, taken) : [];
  return [...sorted.left, ...refused];
}

/** Files of the index whose dates or sizes are not those of the index, also those that are gone. */
async function changedPaths(shadow: Shadow): Promise<RawPath[]> {
  const args = ["diff-files", "--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];
  return rawPaths((await shadow.read(args)).bytes);
}

/** Files that are neither in the index nor ignored. A repository inside ends with a slash. */
async function freshPaths(shadow: Shadow): Promise<RawPath[]> {
  const { bytes } = await shadow.read(["ls-files", "-z", "--others", "--exclude-standard"]);
  return rawPaths(bytes).map((path) => path.replace(/\/$/, "") as RawPath);
}

/** The first time all files are fresh to us; what the user's own git has is not counted. */
async function checkCount(shadow: Shadow, fresh: number, { untrackedFiles }: Limits): Promise<void> {
  if (fresh <= untrackedFiles) return;
  const tracked = rawPaths((await shadow.look(["ls-files", "-z"])).bytes).length;
  if (fresh <= untrackedFiles + tracked) return;
  const message = `There are some ${fresh - tracked} files in ${shadow.place.root} that git neither has nor ignores`;
  throw new TooMuch(
    message,
    "Name what need not be kept in .gitignore, or raise checkpoints.untrackedFiles in config.yml.",
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
        path: seenFrom(root, root, path),
        why: `larger than ${Math.round(fileBytes / 1024 / 1024)} MB`,
      });
    } else if (stats?.isDirectory() && !(await hasCommit(shadow, path))) {
      sorted.left.push({ path: seenFrom(root, root, path), why: "a repository of its own without a commit" });
    } else sorted.taken.push(path);
  }
  return sorted;
}

/** git takes a folder for a repository of its own, or has it as one; a file that became a folder is no such thing. */
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

/** git gives up at the first file that it cannot read; those are left out then, and the others taken once more. */
async function updateWhatCan(shadow: Shadow, paths: readonly RawPath[]): Promise<LeftOut[]> {
  try {
    await update(shadow, ["--add", "--remove", "--replace"], paths);
    return [];
  } catch (error) {
    const unreadable = new Set(paths.filter((path) => !isReadable(shadow.place.root, path)));
    if (unreadable.size === 0) throw error;
    const rest = paths.filter((path) => !unreadable.has(path));
    await update(shadow, ["--add", "--remove", "--replace"], rest);
    const { root } = shadow.place;
    return [...unreadable].map((path) => ({ path: seenFrom(root, root, path), why: "cannot be read" }));
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
  await shadow.write(["update-index", ...how, "-z", "--stdin"], { input: listed(paths) });
}
