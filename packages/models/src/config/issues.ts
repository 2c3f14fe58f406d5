import type { z } from "zod";
import type { ConfigProblem } from "../registry-port.ts";
import { type ConfigDocument, type Path, pathText } from "./document.ts";

type Issue = z.core.$ZodIssue;

/** Turns a schema's issues about the value at `base` into problems with file positions. */
export function issueProblems(
  file: string,
  document: ConfigDocument,
  base: Path,
  schema: z.ZodType,
  error: z.ZodError,
): ConfigProblem[] {
  return error.issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code !== "unrecognized_keys") {
      const { line, column } = document.place(path);
      return [{ file, line, column, path: pathText(path), message: issueText(issue) }];
    }
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => {
      const { line, column } = document.place([...path, key], true);
      return {
        file,
        line,
        column,
        path: pathText([...path, key]),
        message: `Unknown key "${key}". ${suggestKey(key, known)}`,
      };
    });
  });
}

export function problemAt(file: string, document: ConfigDocument, path: Path, message: string): ConfigProblem {
  return { file, ...document.place(path, true), path: pathText(path), message };
}

function issueText(issue: Issue): string {
  if (issue.code === "invalid_type" && issue.input === undefined && issue.message.endsWith("received undefined")) {
    return `"${String(issue.path.at(-1))}" is missing (${issue.expected}).`;
  }
  if (issue.code === "invalid_key") return `Invalid key: ${issue.issues.map(({ message }) => message).join(", ")}.`;
  const message = issue.message.replace(/^Invalid (input|option): /, "");
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function suggestKey(key: string, known: readonly string[]): string {
  const [near] = known
    .map((other) => ({ other, far: distance(key.toLowerCase(), other.toLowerCase()) }))
    .filter(({ far }) => far <= 3)
    .sort((a, b) => a.far - b.far);
  if (near) return `Did you mean "${near.other}"?`;
  return known.length > 0 ? `Remove it; known keys: ${known.join(", ")}.` : "Remove it.";
}

/** The keys that the schema allows at a path; empty if the value there is not an object. */
function knownKeys(schema: z.ZodType, path: Path): string[] {
  let at: unknown = schema;
  for (const part of path) at = childSchema(unwrapSchema(at), part);
  const { shape } = (unwrapSchema(at) ?? {}) as { shape?: object };
  return Object.keys(shape ?? {});
}

type Def = { innerType?: unknown; in?: unknown; element?: unknown; valueType?: unknown };
const defOf = (schema: unknown) => (schema as { def?: Def } | undefined)?.def;

function unwrapSchema(schema: unknown): unknown {
  const inner = defOf(schema)?.innerType ?? defOf(schema)?.in;
  return inner === undefined ? schema : unwrapSchema(inner);
}

function childSchema(schema: unknown, part: PropertyKey): unknown {
  const { shape } = (schema ?? {}) as { shape?: Record<PropertyKey, unknown> };
  return shape?.[part] ?? defOf(schema)?.element ?? defOf(schema)?.valueType;
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same);
    }
    above = row;
  }
  return above[to.length]!;
}
