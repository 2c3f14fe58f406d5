import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { ImageBlock } from "@gantry/models";
import { pluralize } from "@gantry/terminal";

const IMAGES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

/** A longer file would fill the context of most models. */
const MOST_TEXT = 256 * 1024;
/** The request has a smaller copy. */
const MOST_IMAGE = 20 * 1024 * 1024;

/** `problems`: files that were named and could not be attached, as text for the user. */
export type Attached = { text: string; images: ImageBlock[]; problems: string[] };

/**
 * Attaches the files that a message names as `@path`: texts before the message, pictures as images. A word after `@` that
 * is no file stays as typed. Never throws.
 */
export function attachFiles(text: string, cwd: string): Attached {
  const attached: Attached = { text: "", images: [], problems: [] };
  const files: string[] = [];
  const named = [...text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(([, quoted, word = ""]) => quoted ?? word);
  for (const path of new Set(named)) {
    const read = readNamed(path, cwd);
    if (!read) continue;
    if ("problem" in read) attached.problems.push(`@${path} was not attached: ${read.problem}`);
    else if (read.mimeType) {
      attached.images.push({ type: "image", data: read.bytes.toString("base64"), mimeType: read.mimeType });
    } else files.push(`<file name="${read.path}">\n${read.bytes.toString("utf8")}\n</file>`);
  }
  return { ...attached, text: [...files, text].join("\n\n") };
}

type Read = { path: string; bytes: Buffer; mimeType: string | undefined } | { problem: string };

/** The file of a word, also without the punctuation at its end; `undefined` if there is none. */
function readNamed(word: string, cwd: string): Read | undefined {
  return readFile(resolve(cwd, word)) ?? readFile(resolve(cwd, word.replace(/[.,;:!?)\]}'"]+$/, "")));
}

function readFile(path: string): Read | undefined {
  const mimeType = IMAGES[extname(path).toLowerCase()];
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { problem: message };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const most = mimeType ? MOST_IMAGE : MOST_TEXT;
    if (stats.size > most) return { problem: `it has more than ${most / 1024} kB. The agent can read parts of it.` };
    const bytes = readFileSync(fd);
    if (!mimeType && bytes.includes(0)) return { problem: "it is not a text." };
    return { path, bytes, mimeType };
  } catch (error) {
    return { problem: (error as Error).message };
  } finally {
    closeSync(fd);
  }
}

/** A message for the screen: one line for each attached text. */
export function foldAttachments(text: string): string {
  return text.replace(
    /<file name="([^"\n]*)">\n([\s\S]*?)\n<\/file>\n\n/g,
    (_all, name: string, content: string) => `[${name}, ${pluralize(content.trimEnd().split("\n").length, "line")}]\n`,
  );
}
