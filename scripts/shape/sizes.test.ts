import { expect, test } from "vitest";
import { checkSizes } from "./sizes.ts";
import type { Source } from "./sources.ts";

const source = (path: string, lines: number, imports: string[] = []): Source => ({
  path,
  text: "",
  lines,
  isTest: false,
  imports,
  packages: [],
});

test("reports a small file with one importer, and not the entry point of a feature", () => {
  const features = source("web/features.ts", 40, ["web/usage/feature.tsx", "web/usage/tiny.tsx"]);
  expect(checkSizes([features, source("web/usage/feature.tsx", 8), source("web/usage/tiny.tsx", 8)])).toEqual([
    "web/usage/tiny.tsx: 8 lines and one importer; merge it into that file",
  ]);
});

test("accepts a small file that several files import", () => {
  const importers = ["a.ts", "b.ts"].map((path) => source(path, 40, ["tiny.ts"]));
  expect(checkSizes([...importers, source("tiny.ts", 3)])).toEqual([]);
});

test("reports a file over 400 lines and a folder over 15 files", () => {
  const files = Array.from({ length: 16 }, (_, index) => source(`full/${index}.ts`, 40));
  expect(checkSizes([...files, source("long.ts", 401)])).toEqual([
    "long.ts: 401 lines (at most 400)",
    "full: 16 files (at most 15)",
  ]);
});
