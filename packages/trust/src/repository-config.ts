import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText, statOf } from "./read-file.ts";

/** Runs git without the overrides that this file works out. */
export type RunGit = (
  cwd: string,
  args: readonly string[],
  env: Environment,
) => Promise<{ code: number; out: string; err: string }>;
type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigEntry = { scope: string; key: string; value: string };
/** The settings of a repository that name a program. `path` is empty, or that of a submodule in the work tree. */
export type RepositoryPrograms = { cwd: string; path: string; entries: ConfigEntry[]; hooks: ConfigEntry | undefined };
/** Settings in the order in which git applies them. A key may occur more than once. */
export type Overrides = readonly (readonly [key: string, value: string])[];

/** Where a git process starts, and the environment that selects its repository. */
export type Start = { cwd: string; args: readonly string[]; env: Environment };

/**
 * Overrides the programs that a repository's configuration (local and worktree scope, with includes) makes git run. A
 * repository is untrusted input: write access to `.git/config` must not become code execution. The user's
 * system and global configuration is trusted, and its value of an overridden key is restored.
 */
export class RepositoryConfig {
  readonly #run: RunGit;
  readonly #known = new Map<string, { fingerprint: string; overrides: Overrides }>();
  /** Indexes without a submodule, as they were. */
  readonly #flat = new Map<string, string>();

  constructor(run: RunGit) {
    this.#run = run;
  }

  /** Rejects if git cannot read the configuration. Then no git may be started. */
  async overridesFor(start: Start): Promise<Overrides> {
    const own = await this.#overridesOf(start);
    if (!mayEnterSubmodules(start.args)) return own;
    const nested: (readonly [string, string])[] = [];
    await this.#visitSubmodules(start, 0, async (inside) => {
      nested.push(...(await this.#overridesOf(inside)));
    });
    return [...own, ...nested];
  }

  /** The programs of the repository and of its submodules. Rejects if git cannot read the configuration. */
  async listPrograms(start: Start): Promise<RepositoryPrograms[]> {
    const all = [{ cwd: start.cwd, path: "", ...programsIn(await this.#entries(start)) }];
    await this.#visitSubmodules(start, 0, async (inside, path) => {
      all.push({ cwd: inside.cwd, path, ...programsIn(await this.#entries(inside)) });
    });
    return all;
  }

  async #overridesOf(start: Start): Promise<Overrides> {
    const asked = Date.now();
    const seen = look(start);
    const key = JSON.stringify([start.cwd, start.env.GIT_DIR, gitDirArgument(start.args)]);
    const known = this.#known.get(key);
    if (known && known.fingerprint === seen?.fingerprint) return known.overrides;
    const entries = await this.#entries(start);
    const overrides = overridesOf(entries);
    // An include may change, or apply under other conditions, without a change of the fingerprinted files.
    const includes = entries.some(({ scope, key: name }) => isUntrusted(scope) && /^include(if)?\./.test(name));
    if (seen && !includes && seen.newest < asked - SETTLED_MS && (await this.#isGitDir(start, seen.gitDir))) {
      remember(this.#known, key, { fingerprint: seen.fingerprint, overrides });
    } else this.#known.delete(key);
    return overrides;
  }

  async #entries({ cwd, args, env }: Start): Promise<ConfigEntry[]> {
    const { code, out, err } = await this.#run(
      cwd,
      [...gitDirArguments(args), "config", "--list", "--show-scope", "-z"],
      env,
    );
    if (code !== 0) throw new ConfigUnreadable(code, err);
    const fields = out.split("\0");
    const entries: ConfigEntry[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [scope = "", setting = ""] = fields.slice(at, at + 2);
      const end = setting.indexOf("\n");
      entries.push(
        end < 0
          ? { scope, key: setting, value: "true" }
          : { scope, key: setting.slice(0, end), value: setting.slice(end + 1) },
      );
    }
    return entries;
  }

  /** Git finds its repository by its own rules. The repository found here is valid only if it is the same one. */
  async #isGitDir({ cwd, args, env }: Start, gitDir: string): Promise<boolean> {
    const { code, out } = await this.#run(cwd, [...gitDirArguments(args), "rev-parse", "--absolute-git-dir"], env);
    return code === 0 && resolveReal(out.replace(/\n$/, "")) === resolveReal(gitDir);
  }

  /**
   * Git runs itself in the submodules of a work tree, with our settings and their configuration. Visits nested ones as
   * well. `path` is relative to the first work tree.
   */
  async #visitSubmodules(start: Start, depth: number, visit: Visit, above = ""): Promise<void> {
    if (depth > DEEPEST) throw new ConfigUnreadable(128, `fatal: submodules are nested more than ${DEEPEST} deep`);
    for (const { root, path } of await this.#submodulesOf(start)) {
      const cwd = join(root, path);
      if (!statSync(join(cwd, ".git"), { throwIfNoEntry: false })) continue;
      const inside: Start = { cwd, args: [], env: { ...start.env, ...OWN_REPOSITORY } };
      try {
        await visit(inside, join(above, path));
        await this.#visitSubmodules(inside, depth + 1, visit, join(above, path));
      } catch (error) {
        // Git does not enter a submodule whose repository it cannot read.
        if (!(error instanceof ConfigUnreadable) || depth >= DEEPEST) throw error;
      }
    }
  }

  async #submodulesOf({ cwd, args, env }: Start): Promise<{ root: string; path: string }[]> {
    const asked = Date.now();
    const index = indexOf({ cwd, args, env });
    if (index && this.#flat.get(index.path) === index.fingerprint) return [];
    const plain = { ...env, GIT_LITERAL_PATHSPECS: undefined };
    const listed = await this.#run(
      cwd,
      [...gitDirArguments(args), "ls-files", "-z", "--stage", "--full-name", ":/"],
      plain,
    );
    const links = listed.out.split("\0").filter((entry) => entry.startsWith("160000 "));
    if (listed.code === 0 && links.length === 0 && index && index.newest < asked - SETTLED_MS) {
      remember(this.#flat, index.path, index.fingerprint);
    }
    if (links.length === 0) return [];
    const top = await this.#run(cwd, [...gitDirArguments(args), "rev-parse", "--show-toplevel"], plain);
    if (top.code !== 0) return [];
    const root = top.out.replace(/\n$/, "");
    return [...new Set(links.map((entry) => entry.slice(entry.indexOf("\t") + 1)))].map((path) => ({ root, path }));
  }
}

type Visit = (inside: Start, path: string) => Promise<void>;

/** Git cannot read the configuration of a repository. */
export class ConfigUnreadable extends Error {
  readonly code: number;
  readonly err: string;

  constructor(code: number, err: string) {
    super(err);
    this.code = code;
    this.err = err;
  }
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
}

/** The index that git would use, with the files that select it. */
function indexOf(start: Start): { path: string; fingerprint: string; newest: number } | undefined {
  const seen = look(start);
  if (!seen) return undefined;
  const path = resolve(start.cwd, start.env.GIT_INDEX_FILE ?? join(seen.gitDir, "index"));
  const stat = statOf(path);
  const fingerprint = `${seen.fingerprint}\n${stat?.ino} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}`;
  return { path, fingerprint, newest: Math.max(seen.newest, Number(stat?.ctimeMs ?? 0)) };
}

const OWN_REPOSITORY = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
};
const MOST_KNOWN = 1000;
const DEEPEST = 8;
/** File times are coarse: a file that changed this recently may change again with the same timestamp. */
const SETTLED_MS = 2000;

/** Commands that never start another git in a submodule. */
const STAYS_OUTSIDE = new Set([
  "branch",
  "cat-file",
  "check-ignore",
  "check-ref-format",
  "commit-tree",
  "config",
  "diff-tree",
  "for-each-ref",
  "hash-object",
  "ls-files",
  "merge-base",
  "merge-tree",
  "remote",
  "rev-list",
  "rev-parse",
  "symbolic-ref",
  "update-ref",
  "var",
  "write-tree",
]);

function mayEnterSubmodules(args: readonly string[]): boolean {
  let at = 0;
  while (args[at] === "-c" || args[at] === "--git-dir") at += 2;
  return !STAYS_OUTSIDE.has(args[at] ?? "");
}

function gitDirArgument(args: readonly string[]): string | undefined {
  for (let at = 0; args[at] === "-c" || args[at] === "--git-dir"; at += 2) {
    if (args[at] === "--git-dir") return args[at + 1];
  }
  return undefined;
}

function gitDirArguments(args: readonly string[]): string[] {
  const gitDir = gitDirArgument(args);
  return gitDir === undefined ? [] : ["--git-dir", gitDir];
}

function isUntrusted(scope: string): boolean {
  return scope === "local" || scope === "worktree";
}

/**
 * The replacement for a setting that names a program, by the end of its key. An empty filter command disables the filter,
 * an empty helper empties the list. A merge driver must fail: one that succeeds would silently choose one side.
 */
function neutralValue(key: string): string | undefined {
  const [section = ""] = key.split(".", 1);
  const name = key.slice(key.lastIndexOf(".") + 1).toLowerCase();
  if (section === "merge" && name === "driver") return "false";
  if (section === "diff" && name === "textconv") return "cat";
  if (section === "core" && name === "fsmonitor") return "false";
  if (section === "core" && name === "hookspath") return "/dev/null";
  if (section === "core" && name === "sshcommand") return "ssh";
  if (section === "remote" && name === "uploadpack") return "git-upload-pack";
  if (section === "remote" && name === "receivepack") return "git-receive-pack";
  if (section === "submodule" && name === "update") return "checkout";
  if (section === "filter" && name === "required") return "false";
  if (section === "lfs" && (name === "path" || name.endsWith("agent"))) return "";
  if (/^gpg\.(.*\.)?program$/i.test(key)) return "false";
  return PROGRAMS.test(name) ? "" : undefined;
}

const PROGRAMS =
  /^(clean|smudge|process|textconv|external|driver|helper|editor|pager|askpass|gitproxy|vcs|.*(command|cmd|program|hook))$/;

/** The address in a setting, which can start a helper program or lead to a repository with hooks. */
export function addressIn({ key, value }: ConfigEntry): string | undefined {
  if (/^remote\..*\.(push)?url$/i.test(key)) return value;
  return /^url\.(.*)\.(?:push)?insteadof$/is.exec(key)?.[1];
}

/** Whether git run by the user could start what the setting names. */
function namesProgram(entry: ConfigEntry): boolean {
  if (addressIn(entry) !== undefined) return true;
  const isOff = entry.value === "" || /^filter\..*\.required$/i.test(entry.key);
  return neutralValue(entry.key) !== undefined && !isOff;
}

function programsIn(entries: readonly ConfigEntry[]): Pick<RepositoryPrograms, "entries" | "hooks"> {
  return {
    entries: entries.filter((entry) => isUntrusted(entry.scope) && namesProgram(entry)),
    hooks: entries.findLast(({ key }) => key === "core.hookspath"),
  };
}

function overridesOf(entries: readonly ConfigEntry[]): Overrides {
  const untrusted = new Set(entries.filter(({ scope }) => isUntrusted(scope)).map(({ key }) => key));
  return [...untrusted].flatMap((key): [string, string][] => {
    const instead = neutralValue(key);
    if (instead === undefined) return [];
    const own = entries.filter((entry) => entry.key === key && !isUntrusted(entry.scope)).map(({ value }) => value);
    const [, driver] = /^(filter\..*\.)(?:clean|smudge|process)$/.exec(key) ?? [];
    // A required filter without a command would be an error.
    const optional: [string, string][] = driver && own.length === 0 ? [[`${driver}required`, "false"]] : [];
    return [[key, instead], ...own.map((value): [string, string] => [key, value]), ...optional];
  });
}

/** For the environment of git, because a key on the command line ends at its first `=` and a filter's name may contain one. */
export function overrideVariables(overrides: Overrides): Record<string, string> {
  const pairs = overrides.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([["GIT_CONFIG_COUNT", String(overrides.length)], ...pairs]);
}

/**
 * A fingerprint of the files that locate the repository and configure it: any change of them changes the
 * fingerprint. `undefined` where no repository is found.
 */
function look({ cwd, args, env }: Start): { gitDir: string; fingerprint: string; newest: number } | undefined {
  const stamps: string[] = [];
  let newest = 0;
  const note = (path: string) => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    // A folder's time changes with every lock file in it, so it is not used.
    const times = stat?.isDirectory() ? "folder" : `${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`;
    if (stat && !stat.isDirectory()) newest = Math.max(newest, Number(stat.ctimeMs), Number(stat.mtimeMs));
    stamps.push(stat ? `${path} ${stat.dev} ${stat.ino} ${times}` : path);
    return stat;
  };
  try {
    const named = gitDirArgument(args) ?? env.GIT_DIR;
    const gitDir = named === undefined ? discover(cwd, note) : resolve(cwd, named);
    if (gitDir === undefined) return undefined;
    const shared = note(join(gitDir, "commondir")) ? readRegularText(join(gitDir, "commondir")).trim() : ".";
    const commonDir = resolve(gitDir, shared);
    for (const path of [join(commonDir, "config"), join(commonDir, "config.worktree"), join(gitDir, "config.worktree")])
      note(path);
    const { HOME = "", XDG_CONFIG_HOME = join(HOME, ".config"), GIT_CONFIG_GLOBAL } = env;
    for (const path of [join(HOME, ".gitconfig"), join(XDG_CONFIG_HOME, "git", "config"), GIT_CONFIG_GLOBAL])
      if (path) note(path);
    return { gitDir, fingerprint: stamps.join("\n"), newest };
  } catch {
    return undefined;
  }
}

function discover(cwd: string, note: (path: string) => { isFile(): boolean } | undefined): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const found = note(path);
    if (found?.isFile()) return resolve(folder, /^gitdir: (.*?)\n*$/s.exec(readRegularText(path))?.[1] ?? "");
    if (found) return path;
    if (note(join(folder, "HEAD")) && note(join(folder, "objects")) && note(join(folder, "refs"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
