import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Git, GitOptions } from "../../lanes/git/git.ts";
import type { Place } from "./place.ts";

/** Stores the exact bytes of every file: no line-ending conversion, no filter, whatever the repository configures. */
const ATTRIBUTES = "* -text -eol -crlf -filter -ident -working-tree-encoding\n";
/** Settings of the user that describe the file system. */
const OF_THE_DISK = ["filemode", "symlinks", "ignorecase", "precomposeunicode", "trustctime", "checkstat"];
/** Names that are unsafe on other systems are valid file names here. */
const ANY_NAME = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false", "-c", "core.hooksPath=/dev/null"];
const LOCK_MS = 1000;

/**
 * A separate git folder for a work tree with its own index, which persists between turns, so that unchanged files are
 * recognised by their timestamps. Objects go into the user's repository, where hidden refs hold them. Never writes or
 * locks the user's index or configuration.
 */
export class Shadow {
  readonly place: Place;
  readonly #git: Git;
  readonly #dir: string;
  readonly #home: string;
  #configured = "";
  #used = false;

  constructor(git: Git, place: Place, home: string) {
    this.#git = git;
    this.place = place;
    this.#home = home;
    this.#dir = join(home, "checkpoints", createHash("sha256").update(place.gitDir).digest("hex").slice(0, 32));
  }

  get index(): string {
    return join(this.#dir, "index");
  }

  /** Creates or updates the folder when the user's configuration has changed. Throws git's errors. */
  async prepare(): Promise<void> {
    const { commonDir, gitDir, root } = this.place;
    mkdirSync(join(this.#dir, "info"), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.#dir, "refs"), { recursive: true, mode: 0o700 });
    this.#write("HEAD", "ref: refs/heads/gantry\n");
    this.#write("info/attributes", ATTRIBUTES);
    this.#write("info/exclude", `${read(join(commonDir, "info", "exclude"))}\n${this.#homeInside()}`);
    this.#write("place.json", JSON.stringify({ root, gitDir }));
    const stamp = [commonDir, gitDir]
      .map((dir) => changedAt(join(dir, dir === gitDir ? "config.worktree" : "config")))
      .join();
    if (stamp !== this.#configured || !existsSync(join(this.#dir, "config"))) await this.#configure();
    this.#configured = stamp;
    await this.#unlock();
  }

  /** Runs git on our index and the user's work tree. */
  read(args: readonly string[], options: GitOptions = {}) {
    return this.#git.read(this.place.root, [...ANY_NAME, ...args], this.#options(options));
  }

  async write(args: readonly string[], options: GitOptions = {}) {
    const result = await this.#git.write(this.place.root, [...ANY_NAME, ...args], this.#options(options));
    // Git creates the index with the umask of the daemon's shell. A shared mode would also apply to the user's objects.
    if (existsSync(this.index)) chmodSync(this.index, 0o600);
    return result;
  }

  /** Reads the user's own index and HEAD. */
  look(args: readonly string[], options: GitOptions = {}) {
    return this.#git.read(this.place.root, args, options);
  }

  /** Deletes an unreadable index. It is rebuilt from the work tree, which has all of its content. */
  forgetIndex(): void {
    rmSync(this.index, { force: true });
  }

  #options({ env, ...rest }: GitOptions): GitOptions {
    const { root, commonDir } = this.place;
    const mine = {
      GIT_DIR: this.#dir,
      GIT_WORK_TREE: root,
      GIT_OBJECT_DIRECTORY: join(commonDir, "objects"),
      GIT_LITERAL_PATHSPECS: "1",
      GIT_NO_LAZY_FETCH: "1",
    };
    return { ...rest, env: { ...mine, ...env } };
  }

  async #configure(): Promise<void> {
    const { root } = this.place;
    const pattern = `^(core\\.(${OF_THE_DISK.join("|")}|excludesfile)|extensions\\.objectformat)$`;
    const { bytes } = await this.#git.read(root, ["config", "-z", "--get-regexp", pattern], { answers: [1] });
    const values = new Map(entries(bytes.toString("utf8")));
    const excludes = values.has("core.excludesfile")
      ? await this.#git.line(root, ["config", "--type=path", "--get", "core.excludesFile"])
      : undefined;
    const format = values.get("extensions.objectformat");
    const lines = [
      "[core]",
      `repositoryformatversion = ${format ? 1 : 0}`,
      "bare = false",
      ...OF_THE_DISK.flatMap((key) => (values.has(`core.${key}`) ? [`${key} = ${values.get(`core.${key}`)}`] : [])),
      ...(excludes ? [`excludesFile = ${JSON.stringify(excludes)}`] : []),
      ...(format ? ["[extensions]", `objectFormat = ${format}`] : []),
    ];
    this.#write("config", `${lines.join("\n")}\n`);
  }

  /** Excludes Gantry's home folder if it is inside the work tree. */
  #homeInside(): string {
    const path = relative(this.place.root, this.#home);
    return path === "" || path.startsWith("..") ? "" : `/${path}/\n`;
  }

  /**
   * Removes a stale lock on our index. There is one daemon and it waits for each git, so a lock means that git was killed.
   * Right after a crash a git may still run, so the first call waits.
   */
  async #unlock(): Promise<void> {
    const lock = `${this.index}.lock`;
    const patience = this.#used ? 0 : LOCK_MS;
    for (let waited = 0; waited < patience && existsSync(lock); waited += 50) await sleep(50);
    this.#used = true;
    rmSync(lock, { force: true });
  }

  #write(name: string, text: string): void {
    const path = join(this.#dir, name);
    if (read(path) !== text) writeFileSync(path, text, { mode: 0o600 });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** `key\nvalue` pairs of `git config -z`; the last value of a key wins. */
function entries(text: string): [string, string][] {
  return text
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const at = entry.indexOf("\n");
      return at < 0 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
    });
}
