import { Lang, parse, type SgNode } from "@ast-grep/napi";
import type { Source } from "./sources.ts";

const MAX_LINES = 60;
const KINDS = [
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "arrow_function",
  "function_expression",
];
const PARTICIPLE = /^[a-z]+ed$/;
/** Verbs, and the command `sed`. */
const NO_PARTICIPLES = new Set(["embed", "exceed", "feed", "need", "proceed", "sed", "seed", "shed", "speed"]);

/**
 * Functions that are too long, from the first line of the signature to the closing brace, and functions that are named
 * with a participle alone. Tests are exempt.
 */
export function checkFunctions(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => !path.includes(".test.")).flatMap(checkSource);
}

function checkSource({ path, text, isTest }: Source): string[] {
  const root = parse(path.endsWith(".tsx") ? Lang.Tsx : Lang.TypeScript, text).root();
  const functions = root.findAll({ rule: { any: KINDS.map((kind) => ({ kind })) } });
  return functions.flatMap((node) => [
    ...checkLength(path, node),
    ...(!isTest && node.kind() !== "method_definition" ? checkName(path, node) : []),
  ]);
}

function checkLength(path: string, node: SgNode): string[] {
  const { start, end } = node.range();
  const lines = end.line - start.line + 1;
  if (lines <= MAX_LINES) return [];
  const name = node.field("name")?.text() ?? "a function";
  return [`${path}:${start.line + 1}: ${name} has ${lines} lines (at most ${MAX_LINES})`];
}

function checkName(path: string, node: SgNode): string[] {
  const parent = node.parent();
  const named = parent?.kind() === "variable_declarator" ? parent : node;
  const name = named.field("name")?.text() ?? "";
  if (!PARTICIPLE.test(name) || NO_PARTICIPLES.has(name)) return [];
  return [`${path}:${node.range().start.line + 1}: ${name}: name it verb + object`];
}
