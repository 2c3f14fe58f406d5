import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../steps.ts";

export type Source = {
  /** Relative to the root of the repository. */
  path: string;
  text: string;
  lines: number;
  isTest: boolean;
  /** Relative imports, resolved to paths of the repository. Type imports count. */
  imports: string[];
  /** Imports of packages, as written. */
  packages: string[];
};

const IMPORT = /(?:^|\s)(?:import|export)\b[^;"']*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;
const TEST = /\.(test|fake|harness)\.|\/testing\/|\/test-/;
const SKIPPED = new Set(["node_modules", "fixtures", "dist"]);

/** Every TypeScript file below the folders, except fixtures and generated files. */
export function readSources(folders: readonly string[]): Source[] {
  return folders.flatMap((folder) => [...walk(join(root, folder))].map(readSource));
}

function readSource(path: string): Source {
  const text = readFileSync(path, "utf8");
  const targets = [...text.matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic ?? "");
  const local = targets.filter((target) => target.startsWith("."));
  return {
    path: relative(root, path),
    text,
    lines: text.split("\n").length - 1,
    isTest: TEST.test(path),
    imports: local.map((target) => relative(root, join(dirname(path), target))),
    packages: targets.filter((target) => !target.startsWith(".")),
  };
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.(gen|d)\.ts$/.test(entry.name)) yield path;
  }
}
