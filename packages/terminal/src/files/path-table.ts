export type PathKind = "file" | "folder";

/**
 * Paths, prepared for many queries: typed arrays with one entry per path (`masks`, `nameAt`, `depths`) or per character
 * (`codes`, `starts`, from `offsets[i]` to `offsets[i + 1]`).
 */
export type PathTable = {
  paths: string[];
  kinds: PathKind[];
  /** In lower case, of the same length as the path. */
  lower: string[];
  /** A bit for each letter that the path has. */
  masks: Int32Array;
  nameAt: Int32Array;
  depths: Int32Array;
  offsets: Int32Array;
  codes: Uint16Array;
  /** 1 where a word starts. */
  starts: Uint8Array;
};

const SLICE_MS = 4;
const SLASH = 47;

/** Builds the table in slices, so that keys and output are handled in between. */
export async function buildTable(
  groups: readonly { paths: readonly string[]; kind: PathKind }[],
  signal?: AbortSignal,
): Promise<PathTable> {
  const total = groups.reduce((sum, { paths }) => sum + paths.length, 0);
  const size = groups.reduce((sum, { paths }) => paths.reduce((inner, path) => inner + path.length, sum), 0);
  const table: PathTable = {
    paths: [],
    kinds: [],
    lower: [],
    masks: new Int32Array(total),
    nameAt: new Int32Array(total),
    depths: new Int32Array(total),
    offsets: new Int32Array(total + 1),
    codes: new Uint16Array(size),
    starts: new Uint8Array(size),
  };
  let until = performance.now() + SLICE_MS;
  for (const { paths, kind } of groups) {
    for (const path of paths) {
      addPath(table, path, kind);
      if (table.paths.length % 256 !== 0 || performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return table;
      until = performance.now() + SLICE_MS;
    }
  }
  return table;
}

function addPath(table: PathTable, path: string, kind: PathKind): void {
  const at = table.paths.length;
  const lower = lowerCase(path);
  const from = table.offsets[at] ?? 0;
  let depth = 0;
  for (let i = 0; i < path.length; i++) {
    const code = lower.charCodeAt(i);
    table.codes[from + i] = code;
    table.starts[from + i] = startsWord(path, i) ? 1 : 0;
    if (code === SLASH) depth++;
  }
  table.paths.push(path);
  table.kinds.push(kind);
  table.lower.push(lower);
  table.masks[at] = maskOf(lower);
  table.nameAt[at] = path.lastIndexOf("/") + 1;
  table.depths[at] = depth;
  table.offsets[at + 1] = from + path.length;
}

/** Lower case of the same length: a few characters become two. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const one = text.charAt(at);
    return one.toLowerCase().length === 1 ? one.toLowerCase() : one;
  }).join("");
}

/** Letters have a bit each; all digits share one, and so do all other characters. */
export function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    mask |= 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 : 27 + (code % 5));
  }
  return mask;
}

function startsWord(path: string, at: number): boolean {
  if (at === 0 || !isWord(path, at - 1)) return true;
  return isUpper(path, at) && !isUpper(path, at - 1);
}

function isWord(path: string, at: number): boolean {
  const code = path.charCodeAt(at);
  if (code > 127) return /[\p{L}\p{N}]/u.test(path.charAt(at));
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isUpper(path: string, at: number): boolean {
  const code = path.charCodeAt(at);
  return code > 127 ? /\p{Lu}/u.test(path.charAt(at)) : code >= 65 && code <= 90;
}
