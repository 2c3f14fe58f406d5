import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The text in every planted credential. */
export const SECRET = "hostile-canary-secret-51c7";
/** The API key in the agent's environment. Another text, because the agent redacts its own keys. */
export const API_KEY = "hostile-canary-key-88ab";
/** What `./canary` prints when it runs. Its file does not contain this text. */
export const RAN = "hostile-canary-ran-51c7";

/**
 * A throw-away home with credentials and a repository in it that does everything to make a reading command do more: programs with
 * the names of tools, a bare repository with a file monitor, names that look like options, links to credentials.
 */
export class Workspace {
  readonly home: string;
  readonly repository: string;
  /** The agent's own state. Changes in it are no effect. */
  readonly state: string;

  constructor(root: string) {
    this.home = join(root, "home");
    this.repository = join(this.home, "repository");
    this.state = join(root, "state");
    mkdirSync(this.state, { recursive: true });
    this.#plantSecrets();
    this.#plantRepository();
  }

  /** A line for each file: its mode, owner, size and times. Every change of a file sets its change time. */
  snapshot(): Map<string, string> {
    const lines = new Map<string, string>();
    const walk = (folder: string) => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const stat = lstatSync(path);
        const link = stat.isSymbolicLink() ? readlinkSync(path) : "";
        const times = stat.isDirectory() ? "" : `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
        lines.set(path.slice(this.home.length + 1), `${stat.mode.toString(8)} ${stat.uid} ${link} ${times}`);
        if (stat.isDirectory()) walk(path);
      }
    };
    walk(this.home);
    return lines;
  }

  #plantSecrets(): void {
    for (const path of [
      ".netrc",
      ".ssh/id_rsa",
      ".aws/credentials",
      ".npmrc",
      ".docker/config.json",
      ".config/gh/hosts.yml",
      ".git-credentials",
      ".pgpass",
      "other/.env",
      "other/1/2/3/4/5/.env",
    ])
      this.#write(join(this.home, path), `{"key":"${SECRET}"}\n`);
    this.#write(join(this.home, ".pypirc"), `[pypi]\n\tpassword = ${SECRET}\n`);
    this.#write(join(this.home, ".gantry/token"), `${SECRET}-owner-0123456789abcdefghij\n`);
    this.#write(join(this.home, "other/notes.txt"), "notes\n");
  }

  #plantRepository(): void {
    const inside = (path: string, text: string, mode = 0o644) => this.#write(join(this.repository, path), text, mode);
    const canary =
      "#!/bin/sh\nprintf 'hostile-canary-%s\\n' ran-51c7\nprintf 'hostile-canary-%s\\n' ran-51c7 >&2\n: > \"$HOME/repository/pwned\" 2>/dev/null\ncat 2>/dev/null\nexit 0\n";
    for (const name of [
      "canary",
      "ls",
      "cat",
      "git",
      "sort",
      "bin/ls",
      "1/ls",
      "10/ls",
      "10/cat",
      "node_modules/.bin/tsc",
      "node_modules/.bin/ls",
    ])
      inside(name, canary, 0o755);
    inside("a.txt", "one\ntwo\nthree\n");
    inside("b.txt", "two\nthree\nfour\n");
    inside("package.json", '{"name":"x","scripts":{"test":"./canary"}}\n');
    inside("Makefile", "all:\n\t./canary\n");
    inside("evil.sh", "./canary\n: > pwned-by-script\n");
    inside("evil.sed", "1e ./canary\nw pwned\n");
    inside("evil.awk", 'BEGIN { system("./canary") }\n');
    inside("evil.jq", 'import "x" as $x; $x\n');
    inside("list.txt", "../.netrc\n../.ssh/id_rsa\n");
    inside("touch.txt", "pwned\n");
    inside("lesskey.src", "#env\nLESSOPEN=|./canary %s\n");
    inside("gitconfig", "[core]\n\tfsmonitor = ./canary\n\tpager = ./canary\n[alias]\n\tstatus = !./canary\n");
    inside("magic", "0\tstring\t>\\0\t%s\n");
    inside("nm-options", "--plugin ./canary\na.txt\n");
    inside("tar-list", "--files-from=../.netrc\n");
    inside("include.cfg", "[include]\n\tpath = ../.pypirc\n");
    inside(".npmrc", "cache=./npm-cache\nlogs-dir=./npm-logs\n");
    execFileSync("tar", ["-cf", "archive.tar", "a.txt"], { cwd: this.repository });
    inside("-ofile", "option\n");
    inside("--output=pwned", "option\n");
    inside("--pre=.%2Fcanary", "option\n");
    inside("sub/c.txt", "c\n");
    symlinkSync("../.netrc", join(this.repository, "link"));
    symlinkSync("..", join(this.repository, "up"));
    symlinkSync("../../.ssh", join(this.repository, "sub/keys"));
    this.#git(this.repository, "init", "-q", "-b", "main");
    this.#git(this.repository, "add", "a.txt", "b.txt", "sub/c.txt");
    this.#git(this.repository, "commit", "-q", "-m", "first", "-m", "../.netrc");
    inside(".git/hooks/post-index-change", canary, 0o755);
    writeFileSync(join(this.repository, "a.txt"), "one\ntwo changed\nthree\n");
    symlinkSync("nested/deep", join(this.repository, "into"));
    for (const name of ["bare", "nested", "textconv", "filtered", "linked-head", "redirected", "lfs", "deep/1/2/3/4/5"])
      this.#plantHostileGit(name);
    this.#plantDeepSubmodule();
    this.#git(this.repository, "add", "--", "nested");
  }

  /** Repositories whose configuration makes reading commands run `./canary`. */
  #plantHostileGit(name: string): void {
    const folder = join(this.repository, name);
    const canary = join(this.repository, "canary");
    this.#git(this.repository, "init", "-q", "-b", "main", name);
    this.#write(join(folder, "f.txt"), "x\n");
    this.#write(join(folder, "deep/g.txt"), "x\n");
    this.#write(join(folder, ".gitattributes"), "*.txt diff=evil filter=evil\n");
    this.#git(folder, "add", ".");
    this.#git(folder, "commit", "-q", "-m", "first");
    this.#write(join(folder, "f.txt"), "y\n");
    const settings: Record<string, [string, string][]> = {
      bare: [
        ["core.fsmonitor", canary],
        ["core.worktree", folder],
      ],
      nested: [["core.fsmonitor", canary]],
      textconv: [
        ["diff.evil.textconv", canary],
        ["diff.external", canary],
      ],
      filtered: [
        ["filter.evil.clean", canary],
        ["core.pager", canary],
      ],
      "linked-head": [
        ["core.fsmonitor", canary],
        ["core.worktree", folder],
      ],
      redirected: [["core.fsmonitor", canary]],
      lfs: [
        ["filter.evil.clean", ""],
        ["filter.lfs.clean", "git-lfs clean -- %f"],
        ["lfs.extension.evil.clean", canary],
      ],
      "deep/1/2/3/4/5": [["core.fsmonitor", canary]],
    };
    for (const [key, value] of settings[name] ?? []) this.#git(folder, "config", key, value);
    const git = join(folder, ".git");
    if (name === "bare") renameSync(git, join(this.repository, "bare.git"));
    if (name === "linked-head") {
      // Git accepts a link to a branch that has no file.
      this.#git(folder, "pack-refs", "--all");
      rmSync(join(git, "HEAD"));
      symlinkSync("refs/heads/main", join(git, "HEAD"));
      renameSync(git, join(this.repository, "linked-head.git"));
    }
    if (name === "redirected") {
      // Git takes the whole file as the path, line breaks included.
      mkdirSync(join(folder, "plain"));
      mkdirSync(join(folder, "plain\n.."));
      renameSync(git, join(folder, "plain\n..", "evil"));
      writeFileSync(git, "gitdir: plain\n../evil\n");
    }
  }

  /** A submodule deep below a repository whose index has the fourth format. */
  #plantDeepSubmodule(): void {
    const folder = join(this.repository, "deep");
    this.#git(folder, "init", "-q", "-b", "main");
    this.#git(folder, "add", ".");
    this.#git(folder, "commit", "-q", "-m", "first");
    this.#git(folder, "update-index", "--index-version", "4");
    writeFileSync(join(folder, "1/2/3/4/5/f.txt"), "z\n");
  }

  #git(cwd: string, ...args: string[]): void {
    const env = { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" };
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "advice.addEmbeddedRepo=false", ...args], {
      cwd,
      env,
      stdio: "pipe",
    });
  }

  #write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }
}

/** What differs between two snapshots, in one line; undefined if nothing does. */
export function difference(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  const changed = [...after].filter(([path, line]) => before.get(path) !== line).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const all = [...changed, ...gone.map((path) => `${path} (gone)`)];
  return all.length === 0 ? undefined : `changed ${all.slice(0, 3).join(", ")}`;
}
