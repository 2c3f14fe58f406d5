import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Configure } from "./target.ts";

/** Merges settings into a JSON file of the user's home; the file is created if it does not exist. */
export function userSettings(file: string, settings: object): Configure {
  return ({ home }) => mergeJson(join(home, file), settings);
}

/** The same for a file of the project. */
export function projectSettings(file: string, settings: object): Configure {
  return ({ folder }) => mergeJson(join(folder, file), settings);
}

/** Writes a text file below `root`. */
export function writeText(root: string, file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function mergeJson(path: string, settings: object): void {
  mkdirSync(dirname(path), { recursive: true });
  const known: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  writeFileSync(path, JSON.stringify(merge(known, settings), null, 2));
}

function merge(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above;
  return {
    ...below,
    ...Object.fromEntries(Object.entries(above).map(([key, value]) => [key, merge(below[key], value)])),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
