import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type ToolContext, ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { type LoadedText, loadText } from "../disk/load.ts";
import { realPath } from "../disk/path.ts";
import { ripgrep } from "../search/ripgrep.ts";
import { allowedScopes, fileFlags, inScope, runPlace } from "../search/scope.ts";
import { KNOWN_LANGUAGES, LANGUAGE_GLOB, languageOf } from "./languages.ts";

const MAX_FILES = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

export type CodeFile = LoadedText & { language: string };

/** The files below the paths that can be parsed, sorted; without large and binary files. */
export async function* codeFiles(
  paths: readonly string[],
  context: ToolContext,
  actions: readonly Action[],
): AsyncIterable<CodeFile> {
  for (const path of await listFiles(paths, context, actions)) {
    context.signal.throwIfAborted();
    const language = languageOf(path);
    const info = await stat(path).catch(() => undefined);
    if (!language || !info?.isFile() || info.size > MAX_BYTES) continue;
    const text = await loadText(realPath(path)).catch(() => undefined);
    if (text) yield { ...text, language };
  }
}

async function listFiles(
  paths: readonly string[],
  context: ToolContext,
  actions: readonly Action[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const scope of allowedScopes(paths, context, actions)) {
    const { cwd, target } = runPlace(scope);
    const wanted = inScope(scope);
    const flags = ["--files", "--null", ...fileFlags(LANGUAGE_GLOB, { hidden: false, gitignore: true }), "--", target];
    const options = { cwd, signal: context.signal, timeoutMs: TIMEOUT_MS, separator: 0 };
    await ripgrep(flags, options, (record) => {
      const name = record.toString("utf8");
      if (wanted(name) && languageOf(name)) found.add(join(cwd, name));
      return found.size < MAX_FILES;
    });
  }
  if (found.size === 0) throw new ToolError(`There is no file to parse there. Known: ${KNOWN_LANGUAGES}.`);
  return [...found].sort();
}
