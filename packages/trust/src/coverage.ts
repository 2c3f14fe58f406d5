import { basename, dirname, join, relative, resolve } from "node:path";
import { isInside, realPath } from "./paths.ts";
import { readRegularText, statOf } from "./read-file.ts";

/** A folder of this checkout, and the folder whose trust record covers it. */
export type Coverage = { folder: string; record: string };

/**
 * The records that can cover what lies in a folder: its own, those of the folders above it in the same checkout, and
 * those of the same folders in the repository's main work tree. A nested repository is covered by its own records only.
 * Never throws.
 */
export function coverageOf(folder: string): Coverage[] {
  const start = realPath(folder);
  const checkout = findCheckout(start);
  const chain = [start];
  if (checkout) while (chain.at(-1) !== checkout.top) chain.push(dirname(chain.at(-1) ?? "/"));
  const own = chain.map((path) => ({ folder: path, record: path }));
  const { main, top } = checkout ?? {};
  if (main === undefined || top === undefined) return own;
  return [...own, ...chain.map((path) => ({ folder: path, record: join(main, relative(top, path)) }))];
}

/**
 * The checkout that contains a folder. `main` is the main work tree, or the bare repository, of a linked work tree. Never
 * throws, and runs nothing.
 */
export function findCheckout(folder: string): { top: string; main?: string } | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const git = join(top, ".git");
    const kind = statOf(git);
    if (kind?.isDirectory()) return { top };
    if (kind?.isFile()) return { top, ...mainOf(git) };
    if (dirname(top) === top) return undefined;
  }
}

/**
 * Follows the link of a work tree to its repository. The repository must link back, because anyone can write a file
 * `.git` that names a trusted repository, and only a writer of the repository can register a work tree in it.
 */
function mainOf(link: string): { main?: string } {
  try {
    const own = realPath(resolve(dirname(link), /^gitdir: (.+?)\n*$/s.exec(readRegularText(link))?.[1] ?? ""));
    const common = realPath(resolve(own, readRegularText(join(own, "commondir")).trim()));
    const back = resolve(own, readRegularText(join(own, "gitdir")).trim());
    if (!isInside(own, join(common, "worktrees")) || realPath(back) !== realPath(link)) return {};
    return { main: basename(common) === ".git" ? dirname(common) : common };
  } catch {
    return {};
  }
}
