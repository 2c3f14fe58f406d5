import type { SgNode } from "@ast-grep/napi";
import { messageOf } from "../define.ts";
import type { CodeFile } from "./files.ts";
import { LANGUAGES } from "./languages.ts";
import { loadParsers } from "./parsers.ts";

/** `start` and `end` are offsets into the text. */
export type CodeMatch = { start: number; end: number; line: number; text: string; node: SgNode };

/** Every match of the pattern in a file, or why the pattern is invalid in its language. */
export async function findMatches(file: CodeFile, pattern: string): Promise<CodeMatch[] | { problem: string }> {
  const problem = LANGUAGES[file.language]?.symbol && (await loadParsers()).get(file.language);
  if (problem) return { problem };
  const { parseAsync } = await import("@ast-grep/napi");
  try {
    const root = (await parseAsync(file.language, file.text)).root();
    const inContext = await patternInContext(file.language, pattern);
    return root
      .findAll({ rule: { any: [{ pattern }, ...(inContext ? [{ pattern: inContext }] : [])] } })
      .map((node) => {
        const { start, end } = node.range();
        return { start: start.index, end: end.index, line: start.line + 1, text: node.text(), node };
      });
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/**
 * A call such as `f($A)` is an expression, and in some languages a file cannot consist of one. The pattern is parsed inside a
 * function, and the node of exactly the pattern's text is the one to search for.
 */
async function patternInContext(language: string, pattern: string) {
  const { contexts = [], expando = "$" } = LANGUAGES[language] ?? {};
  const { parseAsync } = await import("@ast-grep/napi");
  for (const [before, after] of contexts) {
    const root = (await parseAsync(language, before + pattern.replaceAll("$", expando) + after)).root();
    const node = nodeAt(root, before.length, before.length + pattern.length);
    const kind = node?.kind();
    if (kind === undefined || kind === "ERROR" || node?.find({ rule: { kind: "ERROR" } })) continue;
    return { context: before + pattern + after, selector: String(kind) };
  }
  return undefined;
}

function nodeAt(node: SgNode, start: number, end: number): SgNode | undefined {
  const range = node.range();
  if (range.start.index === start && range.end.index === end) return node;
  const inner = node.children().find((child) => {
    const { start: from, end: to } = child.range();
    return from.index <= start && to.index >= end;
  });
  return inner && nodeAt(inner, start, end);
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
