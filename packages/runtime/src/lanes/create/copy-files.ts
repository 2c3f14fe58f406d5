import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Git } from "../git/git.ts";
import { isInside } from "../records.ts";

/**
 * Copies files that git does not track from one work tree to another. Existing files stay. Each copy is atomic, so a
 * crash leaves no partial file. Returns one sentence for each file that could not be copied.
 */
export async function copyUntracked(git: Git, from: string, to: string, globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const args = ["ls-files", "-z", "--others", "--", ...globs.map((one) => `:(top,glob)${one}`)];
  const { out } = await git.read(from, args);
  const notices: string[] = [];
  for (const path of out.split("\0").filter(Boolean)) {
    try {
      copyOne(from, to, path);
    } catch (error) {
      notices.push(`${path} was not copied: ${(error as Error).message}`);
    }
  }
  return notices;
}

function copyOne(from: string, to: string, path: string): void {
  const [source, target] = [join(from, path), join(to, path)];
  if (lstatSync(target, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(target), { recursive: true });
  // A folder of the commit may be a link that leads out of the lane.
  if (!isInside(realpathSync(dirname(target)), realpathSync(to))) throw new Error("its folder is a link to elsewhere");
  const draft = `${target}.gantry-copy`;
  rmSync(draft, { force: true });
  const link = lstatSync(source).isSymbolicLink();
  if (link) symlinkSync(readlinkSync(source), draft);
  else copyFileSync(source, draft, constants.COPYFILE_FICLONE);
  renameSync(draft, target);
}
