import type { SgNode } from "@ast-grep/napi";
import { messageOf } from "../define.ts";
import type { CodeFile } from "./files.ts";

/** `start` and `end` are offsets into the text. */
export type CodeMatch = { start: number; end: number; line: number; text: string; node: SgNode };

/** Every match of the pattern in a file, or why the pattern is invalid in its language. */
export async function findMatches(file: CodeFile, pattern: string): Promise<CodeMatch[] | { problem: string }> {
  const { parseAsync } = await import("@ast-grep/napi");
  try {
    const root = (await parseAsync(file.language, file.text)).root();
    return root.findAll({ rule: { pattern } }).map((node) => {
      const { start, end } = node.range();
      return { start: start.index, end: end.index, line: start.line + 1, text: node.text(), node };
    });
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Fills `$X` and `$$$X` in `out` from a match. Names that the pattern does not capture stay unchanged. */
export function filledIn(out: string, { node }: CodeMatch, text: string): string {
  return out.replace(/\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g, (whole, many?: string, one?: string) => {
    if (one) return node.getMatch(one)?.text() ?? whole;
    const nodes = many ? node.getMultipleMatches(many) : [];
    const [first, last] = [nodes[0], nodes.at(-1)];
    if (!first || !last) return "";
    return text.slice(first.range().start.index, last.range().end.index);
  });
}
