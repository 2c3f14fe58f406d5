import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCheckout, isInside, readRegularText, realPath } from "@gantry/trust";
import { laneHome } from "../lanes/create/choose.ts";

/** Where a project is. `top` and `main` come from `.git`; git itself is not run, so nothing of the repository runs. */
export type ProjectPlace = { root: string; repository: boolean };

/** The main work tree of the repository that a folder lies in; outside of a repository, the folder. */
export function findProjectPlace(folder: string): ProjectPlace {
  const path = realPath(folder);
  const checkout = findCheckout(path);
  if (!checkout) return { root: path, repository: false };
  return { root: checkout.main ?? checkout.top, repository: true };
}

/**
 * The folders whose sessions belong to the project: the root, the folder of its lanes, and work trees elsewhere. Lanes
 * that were removed are covered too, because the folder of the lanes is named after the repository.
 */
export function listProjectFolders({ root, repository }: ProjectPlace, lanesFolder: string): string[] {
  if (!repository) return [root];
  const commonDir = existsSync(join(root, ".git")) ? join(root, ".git") : root;
  const lanes = laneHome(realPath(lanesFolder), { commonDir, primary: root });
  const others = listWorkTrees(commonDir).filter((path) => !isInside(path, lanes) && !isInside(path, root));
  return [root, lanes, ...others];
}

/** The linked work trees of a repository, as its own files name them. */
function listWorkTrees(commonDir: string): string[] {
  const folder = join(commonDir, "worktrees");
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [dirname(readRegularText(join(folder, name, "gitdir")).trim())];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
