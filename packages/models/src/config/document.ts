import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { ConfigProblem } from "../registry-port.ts";

/** A position in a file, counted from 1. */
export type Place = { line: number; column: number };
export type Path = readonly PropertyKey[];

/**
 * A parsed configuration file with source positions. YAML includes JSON; comments in JSON are replaced by blanks, so that
 * positions stay correct.
 */
export type ConfigDocument = {
  value: unknown;
  /** Position of the value at `path` or its nearest ancestor. With `key`: position of its key. */
  place(path: Path, key?: boolean): Place;
  /** Syntax errors. If there are any, `value` is undefined. */
  problems: ConfigProblem[];
};

export function parseConfig(file: string, text: string): ConfigDocument {
  const lines = new LineCounter();
  const json = /\.jsonc?$/.test(file);
  // Limits aliases: more than a person writes, fewer than an alias bomb needs.
  const document = parseDocument(json ? withoutComments(text) : text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = document.errors.map((error) => {
    const { line, column } = at(error.pos[0]);
    return { file, line, column, path: "", message: `Invalid ${json ? "JSON" : "YAML"}: ${error.message}` };
  });
  const place = (path: Path, key = false) => at(offsetOf(document.contents, path, key));
  if (problems.length > 0) return { value: undefined, place, problems };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), place, problems };
  } catch (error) {
    const message = `Cannot be parsed: ${(error as Error).message}`;
    return { value: undefined, place, problems: [{ file, line: 1, column: 1, path: "", message }] };
  }
}

/** `providers.ollama.models[0].id`. */
export function pathText(path: Path): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
    .join("");
}

function offsetOf(root: Node | null | undefined, path: Path, wantKey: boolean): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [i, part] of path.entries()) {
    const last = i === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return offset;
      const key = pair.key as Node;
      const value = pair.value as Node | null;
      offset = (last && wantKey ? key.range?.[0] : (value?.range?.[0] ?? key.range?.[0])) ?? offset;
      node = value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as Node | undefined;
      if (!item) return offset;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}

/** Replaces comments and trailing commas by blanks. Leaves strings unchanged. */
function withoutComments(text: string): string {
  const blankOut = (found: string) => found.replace(/[^\n]/g, " ");
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : blankOut(found),
  );
  return bare.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found.startsWith('"') ? found : " "));
}
