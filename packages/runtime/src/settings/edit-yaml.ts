import { createRequire } from "node:module";
import { replaceFile } from "@gantry/models/replace-file";
import { GantryError, type Mistake } from "@gantry/protocol";
import type { Document } from "yaml";
import type { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";

/** Loaded on demand: most homes have no file to parse, and loading the parser would double the start time. */
const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

/** A new value at a place in a file; `null` removes the entry. */
export type YamlEdit = { keys: string[]; value: string | number | boolean | readonly (string | number)[] | null };

/**
 * Writes values into a YAML file that people edit too. Comments stay. Returns the new content. Throws `conflict` if the
 * file has mistakes, `invalid` if a value is not allowed; then nothing has changed.
 */
export function editYaml<T extends z.ZodType>(path: string, text: string, schema: T, edits: YamlEdit[]): z.output<T> {
  const document = openDocument(path, text, schema);
  for (const { keys, value } of edits) put(document, keys, value);
  const next = document.toString({ lineWidth: 0 });
  const parsed = schema.safeParse(yaml().parse(next) ?? {});
  if (!parsed.success) {
    throw refusedChangeError(
      parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
    );
  }
  replaceFile(path, next);
  return parsed.data;
}

function openDocument(path: string, text: string, schema: z.ZodType): Document {
  const problems = findMistakes(path, text, schema);
  if (problems.length > 0) {
    const lines = problems.map(({ line, message }) => `line ${line}: ${message}`);
    throw new GantryError("conflict", `${path} has mistakes: ${lines.join("; ")}. Nothing was changed.`, {
      remedy: "Correct the file by hand first.",
      details: problems,
    });
  }
  const document = yaml().parseDocument(text);
  // An empty file has no contents to add to; the document preserves its comments.
  if (!yaml().isMap(document.contents)) document.contents = document.createNode({}) as never;
  return document;
}

function findMistakes(path: string, text: string, schema: z.ZodType): Mistake[] {
  try {
    parseYaml(path, text, schema);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

/** `null` takes the entry away, and with the last of them the maps that held it. */
function put(document: Document, keys: string[], value: YamlEdit["value"]): void {
  const { isMap } = yaml();
  // Replacing a scalar in place preserves the comment on its line.
  if (value !== null) return document.setIn(keys, Array.isArray(value) ? document.createNode(value) : value);
  if (!document.hasIn(keys)) return;
  document.deleteIn(keys);
  for (let above = keys.slice(0, -1); above.length > 0; above = above.slice(0, -1)) {
    const holder = document.getIn(above, true);
    if (!isMap(holder) || holder.items.length > 0) return;
    document.deleteIn(above);
  }
}

export function refusedChangeError(details: { path: string; message: string }[]): GantryError {
  const sentences = details.map(({ path, message }) => `${path}: ${message}`);
  return new GantryError("invalid", `Nothing was changed: ${sentences.join("; ")}.`, { details });
}
