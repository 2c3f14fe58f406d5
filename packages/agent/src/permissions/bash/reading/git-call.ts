import { join } from "node:path";
import type { Environment } from "../../gantry-folders.ts";
import { possiblePaths } from "../../paths.ts";
import type { Arg } from "./args.ts";
import { isPlainGitFolder, isPlainRepository, isPlainSetting } from "./git-repository.ts";
import { matchOptions } from "./match-options.ts";
import { type ReadFile, readsOfSpec } from "./reading-call.ts";
import { compileSpec } from "./spec.ts";
import { GIT_COMMANDS, GIT_GLOBAL } from "./tables/git-commands.ts";

/** Variables that lead git to another repository, whose configuration is not checked. */
const ELSEWHERE = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"];

/**
 * What a call of git reads. Undefined if it is not known to only read: an unlisted subcommand or option, or a repository
 * whose configuration may make a reading command run a program.
 */
export function readsOfGit(
  args: readonly Arg[],
  place: { folders: readonly string[] | undefined; env: Environment },
): ReadFile[] | undefined {
  const call = matchOptions(compileSpec(GIT_GLOBAL), args);
  if (!call) return undefined;
  const [name, ...rest] = call.operands;
  if (!name)
    return call.options.length === 0 || call.has("--version", "-v", "--html-path", "--man-path", "--info-path")
      ? []
      : undefined;
  if (name.open || name.candidates.length !== 1 || !Object.hasOwn(GIT_COMMANDS, name.text)) return undefined;
  const settings = call.options.flatMap(({ name: option, value }) => (option === "-c" && value ? [value] : []));
  const folders = settings.every(isPlainArgument) ? plainFolders(call, place) : undefined;
  const reads = folders && readsOfSpec(GIT_COMMANDS[name.text]!, rest);
  if (!reads || !call.has("-C")) return reads;
  return reads.map(({ arg, how }) => ({
    how,
    arg: { ...arg, candidates: arg.candidates.flatMap((text) => below(folders, text)) },
  }));
}

/** The paths that a relative one denotes after `-C`. */
function below(folders: readonly string[], text: string): string[] {
  return /^[/~$]/.test(text) ? [text] : folders.map((folder) => join(folder, text));
}

function isPlainArgument({ candidates }: Arg): boolean {
  const [, key, value = "true"] = /^([^=]+)(?:=([\s\S]*))?$/.exec(candidates[0] ?? "") ?? [];
  return candidates.length === 1 && key !== undefined && isPlainSetting(key.toLowerCase(), value);
}

/** The folders in which git may work; undefined unless all repositories that it may use have a plain configuration. */
function plainFolders(
  call: NonNullable<ReturnType<typeof matchOptions>>,
  { folders, env }: { folders: readonly string[] | undefined; env: Environment },
): string[] | undefined {
  if (ELSEWHERE.some((name) => env[name] !== undefined)) return undefined;
  let places: (string | undefined)[] = [...(folders ?? [undefined])];
  let gitFolders: (string | undefined)[] | undefined;
  for (const { name, value } of call.options) {
    if (name !== "-C" && name !== "--git-dir") continue;
    const texts = value?.candidates ?? [];
    const resolved = texts.flatMap((text) => places.flatMap((folder) => possiblePaths(text, folder, env)));
    if (texts.length === 0) return undefined;
    if (name === "-C") places = resolved;
    else gitFolders = resolved;
  }
  const known = places.filter((path) => path !== undefined);
  const repositories = gitFolders ?? places;
  const plain = repositories.every(
    (path) => path !== undefined && (gitFolders ? isPlainGitFolder(path) : isPlainRepository(path)),
  );
  return plain && known.length === places.length ? known : undefined;
}
