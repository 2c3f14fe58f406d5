import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import type { Consolidation } from "./questions.ts";

const SUMMARY = "memory_summary.md";
const MEMORY = "MEMORY.md";

/** Replaces each file atomically and removes the skills that are no longer listed. */
export function writeMemory(folder: string, { memory, summary, skills }: Consolidation): void {
  mkdirSync(join(folder, "skills"), { recursive: true, mode: 0o700 });
  for (const { name, content } of skills) {
    mkdirSync(join(folder, "skills", name), { recursive: true, mode: 0o700 });
    replace(join(folder, "skills", name, "SKILL.md"), content);
  }
  const names = new Set(skills.map(({ name }) => name));
  for (const name of readdirSync(join(folder, "skills"))) {
    if (!names.has(name)) rmSync(join(folder, "skills", name), { recursive: true, force: true });
  }
  replace(join(folder, MEMORY), memory);
  replace(join(folder, SUMMARY), summary);
}

export function readSummary(folder: string): string | undefined {
  const text = existsSync(join(folder, SUMMARY)) ? readFileSync(join(folder, SUMMARY), "utf8").trim() : "";
  return text === "" ? undefined : text;
}

/** All files, relative to the folder. */
export function memoryFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** `undefined` when there is no such file in the folder. The real path decides, so links cannot lead outside. */
export function readMemoryFile(folder: string, path: string): string | undefined {
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, path));
    return file.startsWith(root + sep) ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${text.trim()}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
