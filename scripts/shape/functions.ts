import { Lang, parse } from "@ast-grep/napi";
import type { Source } from "./sources.ts";

const MAX_LINES = 60;
const KINDS = [
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "arrow_function",
  "function_expression",
];

/** Functions that are too long, from the first line of the signature to the closing brace. Test bodies may be longer. */
export function checkFunctions(sources: readonly Source[]): string[] {
  return sources.filter(({ path, lines }) => lines > MAX_LINES && !path.includes(".test.")).flatMap(checkSource);
}

function checkSource({ path, text }: Source): string[] {
  const root = parse(path.endsWith(".tsx") ? Lang.Tsx : Lang.TypeScript, text).root();
  const functions = root.findAll({ rule: { any: KINDS.map((kind) => ({ kind })) } });
  return functions.flatMap((node) => {
    const { start, end } = node.range();
    const lines = end.line - start.line + 1;
    if (lines <= MAX_LINES) return [];
    const name = node.field("name")?.text() ?? "a function";
    return [`${path}:${start.line + 1}: ${name} has ${lines} lines (at most ${MAX_LINES})`];
  });
}
