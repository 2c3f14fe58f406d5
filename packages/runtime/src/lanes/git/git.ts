import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigUnreadable, overrideVariables, RepositoryConfig, type TrustItem } from "@gantry/trust";
import { withoutRelativePath } from "../../agents/finding/environment.ts";
import { gitFailure, heldLock } from "./failure.ts";
import { describePrograms } from "./git-programs.ts";
import { type GitAnswer, MOST_HEAP_KB, type RunOptions, runGit } from "./run-git.ts";
import { Semaphore } from "./semaphore.ts";

export type GitOptions = {
  /** Written to standard input. */
  input?: string | Buffer;
  /** Added to the environment; `undefined` removes a variable. */
  env?: Record<string, string | undefined>;
  timeoutMs?: number;
  /** Exit codes other than 0 that are answers, not failures. */
  answers?: readonly number[];
  /** Limit of the output in bytes. Beyond it git is ended and `cut` is true. */
  most?: number;
  /**
   * Runs the filters and merge drivers that the repository configures, if the user has trusted them. Only for steps of
   * the user's own git operation, such as a landing, so that the commit is the one that the user's git would create.
   */
  asUser?: boolean;
};

const READ_MS = 30_000;
const WRITE_MS = 600_000;
const MOST_BYTES = 256 * 1024 * 1024;
/** Concurrent reads. More would compete for the disk. */
const READS = 4;
const LOCK_WAITS_MS = [50, 100, 200, 400, 800];

/** Always: unquoted paths, no fsmonitor of the repository, no colours, no questions. */
const CONFIG = ["-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "color.ui=false"];
/** For reads: no signature check by a program, no garbage collection. */
const QUIET = ["log.showSignature=false", "gc.auto=0", "maintenance.auto=false"].flatMap((set) => ["-c", set]);
/** A partial clone may fetch missing objects, but not through a program that a URL names. */
const TRANSPORTS = { GIT_ALLOW_PROTOCOL: "file:http:https:ssh", GIT_SEQUENCE_EDITOR: "true" };
/** For machines without git-lfs: its files stay pointer files. */
const WITHOUT_LFS = ["smudge=", "clean=", "process=", "required=false"].flatMap((set) => ["-c", `filter.lfs.${set}`]);
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/** Whether the user has trusted all of these in the folder. */
export type GitTrust = { covers(folder: string, items: readonly TrustItem[]): boolean };

/**
 * The machine's git, without a shell and without a terminal. Every method throws GantryError: `git_failed` with git's
 * last error line, `git_locked` with the lock file, `unavailable` if git is missing or timed out.
 */
export class Git {
  readonly #env: Record<string, string>;
  readonly #reads = new Semaphore(READS);
  readonly #config: readonly string[];
  readonly #repositories = new RepositoryConfig((cwd, args, env) =>
    this.#spawn(cwd, [...CONFIG, ...args], { env, timeoutMs: READ_MS }),
  );

  readonly #trust: GitTrust;

  /** `env` is the agents' environment. Variables that redirect git to another repository are dropped. */
  constructor(
    env: Record<string, string | undefined>,
    trust: GitTrust = { covers: (_folder, items) => items.length === 0 },
  ) {
    this.#env = cleanEnvironment(env);
    this.#trust = trust;
    this.#config = onPath("git-lfs", this.#env.PATH) ? CONFIG : [...CONFIG, ...WITHOUT_LFS];
  }

  /**
   * Changes nothing and takes no lock, not even to refresh the index. At most four run at once. Runs nothing that the
   * repository configures: no hook, filter, driver, monitor or helper.
   */
  read(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    const env = { GIT_OPTIONAL_LOCKS: "0", ...options.env };
    return this.#reads.run(() => this.#run(cwd, args, { timeoutMs: READ_MS, ...options, env }));
  }

  /**
   * Changes something for Gantry alone, such as a hidden ref, or creates a work tree. Runs no hook of the repository
   * and, unless `asUser`, nothing else that it configures.
   */
  write(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    return this.#retryLocked(cwd, [...NO_HOOKS, ...args], options);
  }

  /** Performs the user's own git operation: the repository's hooks, filters and drivers run if they are trusted. */
  change(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    return this.#retryLocked(cwd, args, { ...options, asUser: true });
  }

  /** One line of output; `undefined` where git has no answer (exit code 1 or 128). */
  async line(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<string | undefined> {
    const { code, out } = await this.read(cwd, args, { answers: [1, 128], ...options });
    return code === 0 ? out.replace(/\n$/, "") : undefined;
  }

  /** What git would run of the repository's settings and hooks, those of its submodules included. Runs none of it. */
  async listPrograms(cwd: string): Promise<TrustItem[]> {
    const env = { ...this.#env, GIT_OPTIONAL_LOCKS: "0" };
    const repositories = await this.#repositories.listPrograms({ cwd, args: [], env }).catch((error: unknown) => {
      throw error instanceof ConfigUnreadable ? gitFailure(["config"], { err: error.err, why: "failed" }) : error;
    });
    const items = repositories.map(async (repository) => {
      // One call for each path, because a path may contain a newline.
      const find = async (...flags: string[]) => {
        const { code, out, err } = await this.#spawn(repository.cwd, [...CONFIG, "rev-parse", ...flags], { env });
        if (code !== 0) throw gitFailure(["rev-parse"], { err, why: `ended with ${code}` });
        return resolve(repository.cwd, out.replace(/\n$/, ""));
      };
      const [gitDir, commonDir, hooksFolder] = await Promise.all([
        find("--absolute-git-dir"),
        find("--git-common-dir"),
        find("--git-path", "hooks"),
      ]);
      const root = await find("--show-toplevel").catch(() => gitDir);
      return describePrograms({ ...repository, root, gitDir, commonDir, hooksFolder });
    });
    return (await Promise.all(items)).flat();
  }

  /** What git would run here and does not, because the user has not trusted it. Never rejects. */
  async listWithheld(cwd: string): Promise<TrustItem[]> {
    const items = await this.listPrograms(cwd).catch(() => []);
    return this.#trust.covers(cwd, items) ? [] : items;
  }

  /** Another git may hold a lock for a moment, so this retries for 1.5 s before it fails. */
  async #retryLocked(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    for (const wait of LOCK_WAITS_MS) {
      const answer = await this.#attempt(cwd, args, options);
      if (!heldLock(answer.err) || answer.code === 0) return checkAnswer(answer, args, options);
      await sleep(wait);
    }
    return this.#run(cwd, args, { timeoutMs: WRITE_MS, ...options });
  }

  async #run(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    return checkAnswer(await this.#attempt(cwd, args, options), args, options);
  }

  async #attempt(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    if (options.asUser && (await this.#mayRunPrograms(cwd)))
      return this.#spawn(cwd, [...this.#config, ...args], options, "unlimited");
    const given = { ...this.#env, ...options.env };
    try {
      const overrides = await this.#repositories.overridesFor({ cwd, args, env: given });
      const env = { ...options.env, ...TRANSPORTS, ...overrideVariables(overrides) };
      return await this.#spawn(cwd, [...this.#config, ...QUIET, ...NO_HOOKS, ...args], { ...options, env });
    } catch (error) {
      if (!(error instanceof ConfigUnreadable)) throw error;
      return { code: error.code, bytes: Buffer.alloc(0), out: "", err: error.err, cut: false };
    }
  }

  /** All or nothing: a setting that is not trusted could change the meaning of one that is. */
  async #mayRunPrograms(cwd: string): Promise<boolean> {
    try {
      return this.#trust.covers(cwd, await this.listPrograms(cwd));
    } catch {
      return false;
    }
  }

  /** `heapKb`: trusted hooks and filters inherit the limit, so they run without one. */
  #spawn(
    cwd: string,
    args: readonly string[],
    options: GitOptions,
    heapKb: RunOptions["heapKb"] = MOST_HEAP_KB,
  ): Promise<GitAnswer> {
    const { input, most = MOST_BYTES, timeoutMs = WRITE_MS } = options;
    return runGit(cwd, args, { env: { ...this.#env, ...options.env }, input, most, timeoutMs, heapKb });
  }
}

function checkAnswer(answer: GitAnswer, args: readonly string[], { answers = [] }: GitOptions): GitAnswer {
  const { code, err } = answer;
  if (code === 0 || answers.includes(code)) return answer;
  throw gitFailure(args, { err, why: `ended with ${code}` });
}

/** Variables that redirect git to another repository, index or object store. */
const ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_.*|CONFIG_VALUE_.*|QUARANTINE_PATH|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|EXTERNAL_DIFF|DIFF_OPTS|TRACE.*|EDITOR|SEQUENCE_EDITOR|PAGER)$/;

function cleanEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !ELSEWHERE.test(name)) clean[name] = value;
  const PATH = withoutRelativePath(env).PATH ?? "";
  return { ...clean, PATH, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_PAGER: "cat" };
}

function onPath(program: string, path = ""): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
