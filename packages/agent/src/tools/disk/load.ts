import { readFile, stat } from "node:fs/promises";
import { ToolError } from "../../contract/tool.ts";
import { decodeText, type TextShape } from "./encoding.ts";
import { codeOf } from "./path.ts";

/** Edits hold several copies of a file in memory. */
export const EDITABLE_BYTES = 32 * 1024 * 1024;

export type LoadedText = { path: string; bytes: Buffer; text: string; shape: TextShape };

/** Loads a whole text file to change it. `undefined` if there is no file. */
export async function loadText(path: string): Promise<LoadedText | undefined> {
  const bytes = await loadBytes(path);
  if (!bytes) return undefined;
  const decoded = decodeText(bytes);
  if (!decoded) throw new ToolError(`${path} is binary; it can be overwritten, not edited.`);
  return { path, bytes, ...decoded };
}

export async function loadBytes(path: string): Promise<Buffer | undefined> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new ToolError(`${path} is a folder.`);
    if (!info.isFile()) throw new ToolError(`${path} is not a regular file.`);
    if (info.size > EDITABLE_BYTES) throw new ToolError(`${path} is too large to edit: ${info.size} bytes.`);
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error instanceof ToolError ? error : new ToolError(fileErrorText(error, path));
  }
}

export function fileErrorText(error: unknown, path: string): string {
  const code = codeOf(error);
  if (code === "ENOENT") return `${path} does not exist.`;
  if (code === "EACCES" || code === "EPERM") return `${path}: permission denied.`;
  if (code === "ENOTDIR") return `${path}: a part of the path is not a folder.`;
  if (code === "EISDIR") return `${path} is a folder.`;
  if (code === "ENOSPC") return `${path}: no space left on the disk.`;
  if (code === "EROFS") return `${path}: the file system is read-only.`;
  return `${path}: ${error instanceof Error ? error.message : String(error)}`;
}
