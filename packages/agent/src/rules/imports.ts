import { realpathSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { RuleProblem } from "../contract/rules.ts";
import { readText } from "./discovery.ts";

export type ImportPlace = {
  cwd: string;
  home: string;
  /** Files of a project may bring in what is in this folder and nothing else; those of the user whatever they name. */
  within?: string;
};

type Told = { path: string; content: string };

const DEEPEST = 5;
/** `@path` at the beginning of a word. An address of mail is none. */
const IMPORT = /(?<![\w`@/.])@((?:~\/|\.{0,2}\/)?[\w.-][\w./-]*)/g;

/**
 * A file of instructions, and before it those that it brings in with `@path`, each once. Names in code stand for
 * themselves, and so does what is no file. Never throws.
 */
export function withImports(path: string, place: ImportPlace, problems: RuleProblem[]): Told[] {
  const told = new Map<string, Told>();
  const add = (file: string, depth: number, from: ReadonlySet<string>) => {
    const content = readText(file, problems)?.trim();
    if (!content) return;
    const named = depth < DEEPEST ? importsOf(content, file, place, problems) : [];
    for (const next of named) if (!from.has(next) && !told.has(next)) add(next, depth + 1, new Set([...from, next]));
    // A file that only points to others says nothing of its own.
    if (content.replace(IMPORT, "").trim() !== "" || named.length === 0) told.set(file, { path: file, content });
  };
  add(path, 0, new Set([path]));
  return [...told.values()];
}

function importsOf(content: string, file: string, { home, within }: ImportPlace, problems: RuleProblem[]): string[] {
  const prose = content.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(IMPORT)].flatMap(([, name = ""]) => {
    const bare = name.replace(/\.+$/, "");
    const path = bare.startsWith("~/") ? resolve(home, bare.slice(2)) : resolve(dirname(file), bare);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
    if (within === undefined || inside(path, within)) return [path];
    const message = `@${bare} is outside of the project, and is not read`;
    if (!problems.some((one) => one.file === file && one.message === message)) problems.push({ file, message });
    return [];
  });
}

/** Also where links lead counts: otherwise a project could show a model what it likes. */
function inside(path: string, folder: string): boolean {
  return realpathSync(path).startsWith(realpathSync(folder) + sep);
}
