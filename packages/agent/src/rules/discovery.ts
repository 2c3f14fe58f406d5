import { dirname, join, resolve } from "node:path";
import { listEntries, statOf } from "@gantry/trust";
import type { RuleProblem } from "../contract/rules.ts";
import { readSuppliedText, type SuppliedPlace } from "../permissions/supplied-text.ts";
import { readFront } from "./frontmatter.ts";
import { makeRule, type Rule, type RuleFile } from "./rule.ts";

export type Surroundings = { cwd: string; agentDir: string; home: string };

const LARGEST = 256 * 1024;

/** All rules in order of precedence; of those with the same name only the first. Never rejects. */
export async function discoverRules(place: Surroundings): Promise<{ rules: Rule[]; problems: RuleProblem[] }> {
  const rules = new Map<string, Rule>();
  const problems: RuleProblem[] = [];
  const root = listParentFolders(place.cwd).at(-1);
  for (const file of candidates(place)) {
    if (rules.has(file.name)) continue;
    const text = readText(file.path, problems, { root, home: place.home });
    if (text === undefined) continue;
    const made = makeRule(file, await readFront(file.path, text));
    problems.push(...made.problems);
    rules.set(file.name, made.rule);
  }
  return { rules: [...rules.values()], problems };
}

/** In order of precedence: Gantry's, Cursor's, Windsurf's, Cline's; the project before the user, the nearest folder first. */
function candidates({ cwd, agentDir, home }: Surroundings): RuleFile[] {
  const folders = listParentFolders(cwd);
  const listNearby = (path: string) => folders.map((folder) => ({ folder: join(folder, path), root: folder }));
  const users = (folder: string) => [{ folder, root: cwd }];
  return [
    ...findRuleFiles("native", [...listNearby(".gantry/rules"), ...users(join(agentDir, "rules"))], /\.mdc?$/),
    ...findRuleFiles(
      "cursor",
      [...listNearby(".cursor/rules"), ...users(join(home, ".cursor/rules"))],
      /\.mdc?$/,
      true,
    ),
    ...folders.flatMap((root) => findSingleFile("cursor", join(root, ".cursorrules"), "cursorrules", root)),
    ...findRuleFiles("windsurf", listNearby(".windsurf/rules"), /\.md$/),
    ...folders.flatMap((root) => findSingleFile("windsurf", join(root, ".windsurfrules"), "windsurfrules", root)),
    ...findSingleFile("windsurf", join(home, ".codeium/windsurf/memories/global_rules.md"), "global_rules", cwd),
    ...cline(folders),
  ];
}

function cline(folders: string[]): RuleFile[] {
  const root = folders.find((folder) => statOf(join(folder, ".clinerules")));
  if (root === undefined) return [];
  const path = join(root, ".clinerules");
  if (!statOf(path)?.isDirectory()) return findSingleFile("cline", path, "clinerules", root);
  return findRuleFiles("cline", [{ folder: path, root }], /\.md$/).map((file) => ({ ...file, plain: true }));
}

function findRuleFiles(
  source: string,
  places: { folder: string; root: string }[],
  suffix: RegExp,
  deep = false,
): RuleFile[] {
  return places.flatMap(({ folder, root }) =>
    names(folder, deep)
      .filter((name) => suffix.test(name))
      .sort()
      .map((name) => ({
        source,
        root,
        path: join(folder, name),
        name: name.replace(suffix, "").replaceAll("\\", "/"),
      })),
  );
}

function findSingleFile(source: string, path: string, name: string, root: string): RuleFile[] {
  const isFile = statOf(path)?.isFile();
  return isFile ? [{ source, path, name, root, plain: true }] : [];
}

function names(folder: string, deep: boolean): string[] {
  return listEntries(folder, { deep }).flatMap(({ path, entry }) => (entry.isDirectory() ? [] : [path]));
}

/** A folder and its parents up to the repository's root, the nearest first; without a repository only the folder. */
export function listParentFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (statOf(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [resolve(cwd)];
  }
}

/** A file that cannot be read, or must not be, is reported. */
export function readText(path: string, problems: RuleProblem[], place: SuppliedPlace): string | undefined {
  try {
    const text = readSuppliedText(path, place);
    if (text.length <= LARGEST) return text;
    problems.push({ file: path, message: `longer than ${LARGEST} characters; the rest is ignored` });
    return text.slice(0, LARGEST);
  } catch (error) {
    problems.push({ file: path, message: `cannot be read: ${error instanceof Error ? error.message : error}` });
    return undefined;
  }
}
