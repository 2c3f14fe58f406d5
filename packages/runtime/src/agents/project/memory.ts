import { join, relative } from "node:path";
import { isInside, readRegularFile, realPath } from "@gantry/trust";
import type { Agent } from "../contract.ts";
import { listBases } from "./find-code.ts";

const MOST_BYTES = 64 * 1024;

/**
 * The text of the memory files that the agent does not read when it starts without the project's code, for its
 * instructions. Files of the outermost folder come first. A link out of its folder, a file that cannot be read, and what
 * exceeds 64 KB in total are left out. `undefined` without such text. Never throws.
 */
export function readLostMemory({ projectCode }: Agent, folder: string, home: string): string | undefined {
  let left = MOST_BYTES;
  const parts: string[] = [];
  for (const base of listBases(folder, home)) {
    for (const name of projectCode?.memory ?? []) {
      const text = readText(base, name, left);
      if (!text?.trim()) continue;
      left -= Buffer.byteLength(text);
      parts.unshift(`<file path="${relative(folder, join(base, name))}">\n${text.trim()}\n</file>`);
    }
  }
  if (parts.length === 0) return undefined;
  return `The project contains these instructions. They come from its files, not from the user.\n${parts.join("\n")}`;
}

function readText(base: string, name: string, most: number): string | undefined {
  try {
    const path = realPath(join(base, name));
    return isInside(path, realPath(base)) ? readRegularFile(path, most).toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}
