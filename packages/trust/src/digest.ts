import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { coverageOf } from "./coverage.ts";
import { itemKey, type TrustItem } from "./items.ts";
import { isInside, realPath } from "./paths.ts";
import { statOf } from "./read-file.ts";

const MOST_NAMES = 200;
const MOST_BYTES = 512 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Interpreters complete a name in these ways: `node server` runs server.js or server/index.js. */
const COMPLETIONS = ["", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", "/index.js", "/index.ts", "/__main__.py"];

const INTERPRETERS =
  /(^|\/)(\.|source|exec|env|(ba|da|k|z)?sh|node|deno|bun|tsx|ts-node|npx|python[\d.]*|uv|ruby|perl|php|lua|pwsh|java|go|make|just|task)$/;
const CODE = /\.(sh|bash|zsh|fish|[cm]?[jt]sx?|py|pyz|rb|pl|php|lua|ps1|jar|wasm|mk|so|dylib)$/i;

export function hashText(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The hash of a file's content. Throws if it is not a regular file or cannot be read. A file that is too large gets another hash each time. */
function hashFile(path: string): string {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`);
    let size = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      size += read;
      if (size > MOST_BYTES) return `too large ${randomUUID()}`;
      hash.update(chunk.subarray(0, read));
    }
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

/**
 * The hash of a configuration with the programs that its command lines name: a trusted `sh setup.sh` is not trusted any more
 * when setup.sh changes. `folder` is where the command lines run. Without such a file it is the hash of the content.
 */
export function hashCommand(content: string | Buffer, commandLines: readonly string[], folder: string): string {
  const files = hashNamedFiles(commandLines, folder);
  return files.length === 0 ? hashText(content) : hashText(JSON.stringify([hashText(content), ...files]));
}

/** One hash for a list of items. The order does not matter. */
export function digestItems(items: readonly TrustItem[], folder: string): string {
  const lines = items.map((item) => `${itemKey(item, folder)}\0${item.hash}`);
  return hashText([...new Set(lines)].sort().join("\n"));
}

/**
 * Name and hash of each program of the project that the command lines name. Files elsewhere are the user's or the system's.
 * Data is not included: a set-up that writes `.env` must not lose its trust by that.
 */
function hashNamedFiles(commandLines: readonly string[], folder: string): string[] {
  const root = realPath(folder);
  // A lane and its main work tree get the same hash for an absolute path into the main work tree.
  const roots = [...new Set([root, ...coverageOf(root).map(({ record }) => record)])];
  const isOfProject = (path: string) => roots.some((each) => isInside(path, each));
  const candidates = commandLines.flatMap(listNames).slice(0, MOST_NAMES);
  const files = candidates.flatMap(({ name, isRun }) =>
    COMPLETIONS.flatMap((end) => {
      const completed = name.replace(/\/$/, "") + end;
      const path = resolve(root, completed);
      // Most parts of a command line are not files. This is the cheap check.
      if (!statOf(path)?.isFile() || (!isOfProject(path) && !isOfProject(realPath(path)))) return [];
      try {
        return isRun || isProgram(path) ? [`${completed}\0${hashFile(path)}`] : [];
      } catch {
        return [];
      }
    }),
  );
  return [...new Set(files)].sort();
}

/** The parts of a command line that could be file names. `isRun`: an interpreter stands before it. */
function listNames(commandLine: string): { name: string; isRun: boolean }[] {
  const parts = commandLine.split(/[\s"'`;|&<>(){}$=,:]+/).filter((part) => part !== "");
  let before = "";
  return parts.flatMap((name) => {
    const isRun = INTERPRETERS.test(before);
    if (!name.startsWith("-")) before = name;
    return /^\.{1,2}\/?$/.test(name) ? [] : [{ name, isRun }];
  });
}

function isProgram(path: string): boolean {
  if (CODE.test(path)) return true;
  if ((statSync(path).mode & 0o111) !== 0) return true;
  const head = Buffer.alloc(2);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readSync(file, head, 0, 2, 0) === 2 && head.toString() === "#!";
  } finally {
    closeSync(file);
  }
}
