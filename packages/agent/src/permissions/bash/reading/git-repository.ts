import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularFile, readRegularText, statOf } from "@gantry/trust";
import { isInside } from "../../paths.ts";

/**
 * Settings of a repository that cannot make git run a program, contact a server or read outside the repository while it
 * reads. `section` alone: all its keys. A list: these keys only.
 */
const PLAIN: Readonly<Record<string, readonly string[] | true>> = {
  core: `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath
    abbrev compression bigfilethreshold checkstat trustctime longpaths sharedrepository hidedotfiles preloadindex untrackedcache
    commentchar hookspath sparsecheckout sparsecheckoutcone whitespace protectntfs protecthfs multipackindex commitgraph
    deltabasecachelimit packedgitlimit`.split(/\s+/),
  extensions: ["worktreeconfig", "noop", "refstorage", "relativeworktrees"],
  remote: "url pushurl fetch push tagopt mirror prune prunetags gh-resolved skipfetchall skipdefaultupdate".split(" "),
  diff: `renames renamelimit algorithm colormoved colormovedws mnemonicprefix noprefix wserrorhighlight indentheuristic tool guitool
    context interhunkcontext relative ignoresubmodules statgraphwidth xfuncname binary wordregex`.split(/\s+/),
  log: ["date", "decorate", "abbrevcommit", "follow", "showroot", "mailmap"],
  grep: ["linenumber", "column", "patterntype", "extendedregexp", "fullname", "threads"],
  branch: true,
  user: true,
  author: true,
  committer: true,
  submodule: true,
  lfs: `repositoryformatversion url pushurl access locksverify fetchinclude fetchexclude fetchrecentrefsdays concurrenttransfers
    activitytimeout dialtimeout skipdownloaderrors allowincompletepush`.split(/\s+/),
  alias: true,
  color: true,
  column: true,
  advice: true,
  commit: true,
  tag: true,
  status: true,
  blame: ["date", "coloring", "showemail", "blankboundary", "showroot", "markunblamablelines", "markignoredlines"],
  fetch: true,
  pull: true,
  push: true,
  merge: [
    "conflictstyle",
    "ff",
    "renames",
    "renamelimit",
    "log",
    "stat",
    "branchdesc",
    "directoryrenames",
    "autostash",
    "tool",
  ],
  rebase: true,
  rerere: true,
  init: true,
  gc: true,
  maintenance: true,
  pack: true,
  index: ["version", "threads", "skiphash", "sparse"],
  feature: true,
  stash: true,
  versionsort: true,
  i18n: true,
  url: true,
  credential: true,
  http: true,
  gui: true,
  gitflow: true,
  github: true,
};
const LFS: Readonly<Record<string, string>> = {
  "filter.lfs.clean": "git-lfs clean -- %f",
  "filter.lfs.smudge": "git-lfs smudge -- %f",
  "filter.lfs.process": "git-lfs filter-process",
  "filter.lfs.required": "true",
};
const BOOLEAN = /^(|true|false|yes|no|on|off|0|1)$/i;

/** `key` is in lower case, with its subsection, such as `remote.origin.url`. */
export function isPlainSetting(key: string, value: string): boolean {
  if (LFS[key] === value) return true;
  const [section = ""] = key.split(".");
  const name = key.slice(key.lastIndexOf(".") + 1);
  if (section === "pager") return BOOLEAN.test(value);
  if (key === "core.fsmonitor") return /^(|false|no|off|0)$/i.test(value);
  const known = Object.hasOwn(PLAIN, section) ? PLAIN[section] : undefined;
  return known === true || (known?.includes(name) ?? false);
}

/**
 * Whether git in this folder only reads when a reading command runs: the configuration of the repository, its submodules and
 * its nested repositories has plain settings only. The user's own configuration is trusted. Never throws.
 */
export function isPlainRepository(folder: string): boolean {
  for (let at = realPathOf(folder); ; at = dirname(at)) {
    const link = join(at, ".git");
    const found = isFile(link) ? linkTarget(at, link) : link;
    if (isGitFolder(found)) return isPlainGit(found, at, 0);
    // A folder that itself looks like git's data is a bare repository.
    if (isGitFolder(at)) return isPlainGit(at, at, 0);
    if (dirname(at) === at) return true;
  }
}

/** The same for `--git-dir`. */
export function isPlainGitFolder(git: string): boolean {
  return isPlainGit(isFile(git) ? linkTarget(dirname(git), git) : git, dirname(git), 0);
}

const DEEPEST = 5;

function isPlainGit(git: string, worktree: string, depth: number): boolean {
  if (depth > DEEPEST) return false;
  const common = commonOf(git);
  const files = [join(common, "config"), join(common, "config.worktree"), join(git, "config.worktree")];
  if (!files.every((file) => isPlainConfig(file, git, worktree))) return false;
  return nestedRepositories(git, worktree).every((nested) => {
    const link = join(nested, ".git");
    if (!existsSync(link)) return true;
    return isPlainGit(isFile(link) ? linkTarget(nested, link) : link, nested, depth + 1);
  });
}

function isPlainConfig(file: string, git: string, worktree: string): boolean {
  if (!existsSync(file)) return true;
  const settings = parseConfig(readText(file) ?? "[");
  return (
    settings?.every(([key, value]) =>
      // A submodule's data names its folder in this way.
      key === "core.worktree" ? isInside(resolve(git, value), [worktree]) : isPlainSetting(key, value),
    ) ?? false
  );
}

/** The settings of a configuration file, with keys in lower case. Undefined if a line is not understood. */
function parseConfig(text: string): [string, string][] | undefined {
  const settings: [string, string][] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    const rest = line.trim();
    // A backslash continues a value, but not a comment.
    if (rest.endsWith("\\")) return undefined;
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(rest);
    const assignment = header ? header[3]! : rest;
    if (header) section = [header[1]!.toLowerCase(), ...(header[2] === undefined ? [] : [header[2]])].join(".");
    if (assignment === "" || /^[#;]/.test(assignment)) continue;
    const [, name, value = "true"] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(assignment) ?? [];
    if (name === undefined || section === undefined) return undefined;
    settings.push([`${section}.${name.toLowerCase()}`, unquoteValue(value)]);
  }
  return settings;
}

function unquoteValue(value: string): string {
  return value.replace(/^"((?:[^"\\]|\\.)*)"$/, "$1");
}

/** The folders of the index's entries that are repositories themselves. */
function nestedRepositories(git: string, worktree: string): string[] {
  const index = join(git, "index");
  const stat = statOf(index);
  if (!stat) return [];
  const stamp = `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
  const known = cache.get(index);
  if (known?.stamp === stamp) return known.paths.map((path) => join(worktree, path));
  const paths = gitlinksOf(readIndex(index)) ?? everyNested(worktree, 0);
  if (cache.size > 100) cache.clear();
  cache.set(index, { stamp, paths });
  return paths.map((path) => join(worktree, path));
}

const cache = new Map<string, { stamp: string; paths: string[] }>();

/** The paths with mode 160000. Undefined for an index of an unknown version. */
function gitlinksOf(index: Buffer): string[] | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  // A split index has the other part of its entries in another file.
  if (index.includes("link\0")) return undefined;
  if (!index.includes(Buffer.from([0, 0, 0xe0, 0]))) return [];
  if (version === 4) return undefined;
  const links: string[] = [];
  let at = 12;
  for (let entry = 0; entry < index.readUInt32BE(8); entry++) {
    if (at + 62 > index.length) return undefined;
    const extended = (index.readUInt16BE(at + 60) & 0x4000) !== 0;
    const start = at + (extended ? 64 : 62);
    const end = index.indexOf(0, start);
    if (end < 0) return undefined;
    if (index.readUInt32BE(at + 24) === 0xe000) links.push(index.toString("utf8", start, end));
    at += (end - at + 8) & ~7;
  }
  return links;
}

/** Folders with a `.git`, for an index that cannot be read. */
function everyNested(folder: string, depth: number): string[] {
  if (depth > 12) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory() || entry.name === ".git") return [];
      const own = existsSync(join(folder, entry.name, ".git")) ? [entry.name] : [];
      return [...own, ...everyNested(join(folder, entry.name), depth + 1).map((path) => join(entry.name, path))];
    });
  } catch {
    return [];
  }
}

/** Git looks for a repository above the folder where a link leads. */
function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder);
  }
}

function isGitFolder(path: string): boolean {
  // Git also accepts a link to a branch that does not exist as a file.
  return (
    lstatSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined &&
    (existsSync(join(path, "objects")) || existsSync(join(path, "commondir")))
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function linkTarget(folder: string, link: string): string {
  // Git takes the rest of the file, line breaks included.
  return resolve(folder, /^gitdir: ([\s\S]+?)[\r\n]*$/.exec(readText(link) ?? "")?.[1] ?? ".git");
}

function commonOf(git: string): string {
  const common = readText(join(git, "commondir"))?.trim();
  return common ? resolve(git, common) : git;
}

function readText(path: string): string | undefined {
  try {
    return readRegularText(path);
  } catch {
    return undefined;
  }
}

/** An unreadable index counts as one whose entries are not known. */
function readIndex(path: string): Buffer {
  try {
    return readRegularFile(path);
  } catch {
    return Buffer.alloc(0);
  }
}
