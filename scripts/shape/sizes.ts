import { basename, dirname } from "node:path";
import type { Source } from "./sources.ts";

const MAX_LINES = 400;
const MAX_FILES = 15;
const MIN_LINES = 15;
/**
 * Entry points may be small. `handlers.ts` is the entry point of a feature of the daemon: every feature has one, so that a
 * route is found by the name of its feature, and one with two routes is no exception. `feature.tsx` is the entry point of a
 * feature of the page, which only the registry imports.
 */
const ENTRIES = new Set(["index.ts", "main.ts", "main.tsx", "handlers.ts", "feature.tsx"]);

/** Files that are too long, folders with too many files, and small files that belong into their only importer. */
export function checkSizes(sources: readonly Source[]): string[] {
  const long = sources.filter(({ lines, isTest }) => lines > MAX_LINES && !isTest);
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  const full = [...folders].filter(([, files]) => files.length > MAX_FILES);
  return [
    ...long.map(({ path, lines }) => `${path}: ${lines} lines (at most ${MAX_LINES})`),
    ...full.map(([folder, files]) => `${folder}: ${files.length} files (at most ${MAX_FILES})`),
    ...findFragments(sources),
  ];
}

function findFragments(sources: readonly Source[]): string[] {
  const importers = new Map<string, number>();
  for (const { imports } of sources)
    for (const target of imports) importers.set(target, (importers.get(target) ?? 0) + 1);
  return sources
    .filter(
      ({ path, lines, isTest }) =>
        lines < MIN_LINES && !isTest && !ENTRIES.has(basename(path)) && importers.get(path) === 1,
    )
    .map(({ path, lines }) => `${path}: ${lines} lines and one importer; merge it into that file`);
}
