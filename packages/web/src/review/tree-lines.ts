import type { FileChange } from "@gantry/protocol";
import { nameOf } from "./rows.ts";

/** A folder or a file of the tree. A chain of folders with one child each is one line. */
export type TreeLine = { key: string; depth: number; name: string; file?: FileChange };

type Folder = { folders: Map<string, Folder>; files: FileChange[] };

/** The changed files as a tree: folders first, each sorted by name. */
export function treeLines(files: readonly FileChange[]): TreeLine[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = nameOf(file).split("/").slice(0, -1);
    let folder = root;
    for (const name of names) {
      const next = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(file);
  }
  return linesOf(root, "", 0);
}

function linesOf({ folders, files }: Folder, path: string, depth: number): TreeLine[] {
  const sorted = [...folders].sort(([one], [other]) => one.localeCompare(other));
  const own = files.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return [
    ...sorted.flatMap(([name, folder]) => folderLines(folder, { name, path: `${path}${name}/`, depth })),
    ...own.map((file) => ({ key: nameOf(file), depth, name: nameOf(file).split("/").at(-1) ?? "", file })),
  ];
}

function folderLines(folder: Folder, { name, path, depth }: { name: string; path: string; depth: number }): TreeLine[] {
  const [only] = folder.folders;
  if (only && folder.folders.size === 1 && folder.files.length === 0)
    return folderLines(only[1], { name: `${name}/${only[0]}`, path: `${path}${only[0]}/`, depth });
  return [{ key: path, depth, name }, ...linesOf(folder, path, depth + 1)];
}
