import { realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { statOf } from "@gantry/trust";
import type { RuleProblem } from "../contract/rules.ts";
import { readText } from "./discovery.ts";

export type ImportPlace = {
  cwd: string;
  home: string;
  /** The files of a project may import only from this folder; the user's files may import any file. */
  within?: string;
};

type ImportedFile = { path: string; content: string };

const DEEPEST = 5;
/** `@path` at the start of a word, which excludes mail addresses. */
const IMPORT = /(?<![\w`@/.])@((?:~\/|\.{0,2}\/)?[\w.-][\w./-]*)/g;

/**
 * A file of instructions, preceded by the files that it imports with `@path`, each once. Names in code and names of
 * missing files stay unchanged. Never throws.
 */
export function withImports(path: string, place: ImportPlace, problems: RuleProblem[]): ImportedFile[] {
  const files = new Map<string, ImportedFile>();
  const add = (file: string, depth: number, from: ReadonlySet<string>) => {
    const content = readText(file, problems, { root: place.within, home: place.home })?.trim();
    if (!content) return;
    const named = depth < DEEPEST ? importsOf(content, file, place, problems) : [];
    for (const next of named) if (!from.has(next) && !files.has(next)) add(next, depth + 1, new Set([...from, next]));
    // A file that only imports others has no content itself.
    if (content.replace(IMPORT, "").trim() !== "" || named.length === 0) files.set(file, { path: file, content });
  };
  add(path, 0, new Set([path]));
  return [...files.values()];
}

function importsOf(content: string, file: string, { home, within }: ImportPlace, problems: RuleProblem[]): string[] {
  const prose = content.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(IMPORT)].flatMap(([, name = ""]) => {
    const bare = name.replace(/\.+$/, "");
    const path = bare.startsWith("~/") ? resolve(home, bare.slice(2)) : resolve(dirname(file), bare);
    if (!statOf(path)?.isFile()) return [];
    if (within === undefined || isInsideFolder(path, within)) return [path];
    const message = `@${bare} is outside of the project, and is not read`;
    if (!problems.some((one) => one.file === file && one.message === message)) problems.push({ file, message });
    return [];
  });
}

/** The real path counts: otherwise a project could link to any file and show it to a model. */
function isInsideFolder(path: string, folder: string): boolean {
  return realpathSync(path).startsWith(realpathSync(folder) + sep);
}
