import { dirname, extname, resolve } from "node:path";
import { readRegularText, realPath, statOf } from "@gantry/trust";

const MOST_FILES = 200;
const CODE = /\.(?:[cm]?[jt]s|json)$/;

/** The content of each file by its real path. */
export type Files = ReadonlyMap<string, string>;

/**
 * Reads a module and the files that it names with a relative path, and so on. Every text that looks like a relative path
 * counts, so that more is compared than is loaded, never less, except for computed paths. Throws if a file cannot be read
 * or if there are too many.
 */
export function readClosure(entries: readonly string[]): Files {
  const files = new Map<string, string>();
  const waiting = entries.map(realPath);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (files.has(path)) continue;
    if (files.size >= MOST_FILES) throw new Error(`It consists of more than ${MOST_FILES} files.`);
    const text = readRegularText(path);
    files.set(path, text);
    if (extname(path) !== ".json") waiting.push(...namedFiles(text, dirname(path)));
  }
  return files;
}

function namedFiles(text: string, folder: string): string[] {
  const named = [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n\\$]+)["'`]/g)].map(([, path = ""]) => resolve(folder, path));
  return named.filter((path) => CODE.test(path) && statOf(path)?.isFile()).map(realPath);
}
