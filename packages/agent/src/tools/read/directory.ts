import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext, ToolOutput } from "../../contract/tool.ts";
import { textOutput } from "../define.ts";
import { displayPath } from "../disk/path.ts";

const TOP = 500;
const CHILDREN = 12;
const CLOSED = new Set([".git", "node_modules", ".hg", ".svn", "__pycache__"]);

/** Lists a folder and its direct subfolders. Links are listed and never followed, so cycles are harmless. */
export async function readDirectory(path: string, context: ToolContext): Promise<ToolOutput> {
  const entries = await sortedEntries(path);
  const lines: string[] = [];
  for (const entry of entries.slice(0, TOP)) {
    context.signal.throwIfAborted();
    lines.push(await entryLine(path, entry));
    if (entry.isDirectory() && !CLOSED.has(entry.name)) lines.push(...(await listChildren(join(path, entry.name))));
  }
  if (entries.length > TOP) lines.push(`… ${entries.length - TOP} more`);
  const head = `${displayPath(path, context)}/ (${entries.length} ${entries.length === 1 ? "entry" : "entries"})`;
  return textOutput([head, ...lines].join("\n"), { path, entries: entries.length });
}

async function listChildren(folder: string): Promise<string[]> {
  const entries = await sortedEntries(folder).catch(() => undefined);
  if (!entries) return ["  (cannot be read)"];
  const lines = await Promise.all(
    entries.slice(0, CHILDREN).map(async (entry) => `  ${await entryLine(folder, entry)}`),
  );
  return entries.length > CHILDREN ? [...lines, `  … ${entries.length - CHILDREN} more`] : lines;
}

async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
}

async function entryLine(folder: string, entry: Dirent): Promise<string> {
  const name = /[\n\r\t]/.test(entry.name) ? JSON.stringify(entry.name) : entry.name;
  if (entry.isDirectory()) return `${name}/`;
  if (!entry.isSymbolicLink()) return name;
  return `${name} -> ${await readlink(join(folder, entry.name)).catch(() => "?")}`;
}
