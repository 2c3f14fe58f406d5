import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, resolve, sep } from "node:path";
import type { Attachment } from "@gantry/protocol";
import { usageError } from "../program/errors.ts";

const LARGEST = 10 * 1024 * 1024;

/**
 * Files that were named on the command line, as attachments. One inside the session's folder goes as its path; another
 * goes with its content, so that nothing need be copied first.
 */
export function attachmentsOf(names: readonly string[] | undefined, cwd: string): Attachment[] | undefined {
  return names?.map((name) => {
    const path = realPath(resolve(name));
    if (path.startsWith(realPath(cwd) + sep)) return { path };
    const { size } = statSync(path);
    if (size <= LARGEST) return { name: basename(path), data: readFileSync(path).toString("base64"), ...typeOf(path) };
    throw usageError(`${name} is too large to attach.`, `Copy it into ${cwd} first.`);
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw usageError(`${path} does not exist.`);
  }
}

const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
};

function typeOf(path: string): { mime?: string } {
  const mime = TYPES[path.split(".").at(-1)?.toLowerCase() ?? ""];
  return mime ? { mime } : {};
}
