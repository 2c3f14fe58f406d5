import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cannotRun, gitFailure, heldLock } from "./failure.ts";
import { Gate } from "./gate.ts";
import { ConfigUnreadable, type Overrides, RepositoryConfig } from "./repository-config.ts";

export type GitOptions = {
  /** Goes to its standard input. */
  input?: string | Buffer;
  /** On top of the environment; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  timeoutMs?: number;
  /** Exit codes beside 0 that are answers and no failures. */
  answers?: readonly number[];
  /** Output beyond this many bytes is not kept; git is ended then, and `cut` says so. */
  most?: number;
  /**
   * Lets the filters and merge drivers run that the repository itself configures. Only for a step of what the user asked
   * git to do, such as a landing, so that what is committed is what the user's own git would commit.
   */
  asUser?: boolean;
};

/** `out` is decoded as UTF-8, which is what paths are in; `bytes` are what git printed. */
export type GitAnswer = { code: number; bytes: Buffer; out: string; err: string; cut: boolean };

const READ_MS = 30_000;
const WRITE_MS = 600_000;
const MOST_BYTES = 256 * 1024 * 1024;
/** Reads at once; more would only fight for the disk. */
const READS = 4;
const LOCK_WAITS_MS = [50, 100, 200, 400, 800];

/** Always: paths as they are, no monitor that a repository names, no colours, no questions. */
const CONFIG = ["-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "color.ui=false"];
/** For a git that looks: no signature is checked by a program, and nothing is tidied up on the way. */
const QUIET = ["log.showSignature=false", "gc.auto=0", "maintenance.auto=false"].flatMap((set) => ["-c", set]);
/** Objects that a partial clone lacks may still be fetched, but not through a program that a URL names. */
const TRANSPORTS = { GIT_ALLOW_PROTOCOL: "file:http:https:ssh", GIT_SEQUENCE_EDITOR: "true" };
/** git-lfs is not there: its files stay the small pointers that they are in the repository. */
const WITHOUT_LFS = ["smudge=", "clean=", "process=", "required=false"].flatMap((set) => ["-c", `filter.lfs.${set}`]);
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/**
 * The git of this machine, without a shell and without a terminal. Every method throws GantryError: `git_failed` with
 * git's own last words, `git_locked` with the lock file, `unavailable` where there is no git or it took too long.
 */
export class Git {
  readonly #env: Record<string, string>;
  readonly #gate = new Gate(READS);
  readonly #config: readonly string[];
  readonly #repositories = new RepositoryConfig((cwd, args, env) =>
    this.#spawn(cwd, [...CONFIG, ...args], { env, timeoutMs: READ_MS }),
  );

  /** `env` is that of agents; what of it would lead git elsewhere is left out. */
  constructor(env: Record<string, string | undefined>) {
    this.#env = cleanEnvironment(env);
    this.#config = onPath("git-lfs", this.#env.PATH) ? CONFIG : [...CONFIG, ...WITHOUT_LFS];
  }

  /**
   * Changes nothing and takes no lock, not even to refresh the index. At most four at once. Nothing runs that the
   * repository configures: no hook, filter, driver, monitor or helper.
   */
  read(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    const env = { GIT_OPTIONAL_LOCKS: "0", ...options.env };
    return this.#gate.pass(() => this.#run(cwd, args, { timeoutMs: READ_MS, ...options, env }));
  }

  /**
   * Changes something for Gantry alone, such as a hidden ref, or makes a work tree: no hook of the repository runs and,
   * unless `asUser`, nothing else that it configures.
   */
  write(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    return this.#patiently(cwd, [...NO_HOOKS, ...args], options);
  }

  /** Does what the user asked git to do, as their own git would: the repository's hooks, filters and drivers run. */
  change(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    return this.#patiently(cwd, args, { ...options, asUser: true });
  }

  /** One line of an answer; `undefined` where git has none (it then ends with 1 or 128 and says so). */
  async line(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<string | undefined> {
    const { code, out } = await this.read(cwd, args, { answers: [1, 128], ...options });
    return code === 0 ? out.replace(/\n$/, "") : undefined;
  }

  /** Filters that the repository itself configures and that `read` and `write` therefore do not run, by name. */
  async withheldFilters(cwd: string): Promise<string[]> {
    const overrides = await this.#repositories.overridesFor({ cwd, args: ["config"], env: this.#env });
    const names = overrides.map(([key, value]) =>
      value === "" ? /^filter\.(.*)\.(smudge|process)$/s.exec(key)?.[1] : "",
    );
    return [...new Set(names.filter((name) => name))] as string[];
  }

  /** Another git may hold a lock for a moment; after a second and a half it is told. */
  async #patiently(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    for (const wait of LOCK_WAITS_MS) {
      const answer = await this.#attempt(cwd, args, options);
      if (!heldLock(answer.err) || answer.code === 0) return checked(answer, args, options);
      await sleep(wait);
    }
    return this.#run(cwd, args, { timeoutMs: WRITE_MS, ...options });
  }

  async #run(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    return checked(await this.#attempt(cwd, args, options), args, options);
  }

  async #attempt(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    if (options.asUser) return this.#spawn(cwd, [...this.#config, ...args], options);
    const given = { ...this.#env, ...options.env };
    try {
      const overrides = await this.#repositories.overridesFor({ cwd, args, env: given });
      const env = { ...options.env, ...TRANSPORTS, ...variables(overrides) };
      return await this.#spawn(cwd, [...this.#config, ...QUIET, ...NO_HOOKS, ...args], { ...options, env });
    } catch (error) {
      if (!(error instanceof ConfigUnreadable)) throw error;
      return { code: error.code, bytes: Buffer.alloc(0), out: "", err: error.err, cut: false };
    }
  }

  #spawn(cwd: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    const { input, most = MOST_BYTES, timeoutMs = WRITE_MS } = options;
    const env = Object.fromEntries(
      Object.entries({ ...this.#env, ...options.env }).filter(([, value]) => value !== undefined),
    );
    return new Promise((resolve, reject) => {
      const child = spawn("git", [...args], {
        cwd,
        env,
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
      });
      const out: Buffer[] = [];
      let [size, err, cut, late] = [0, "", false, false];
      const timer = setTimeout(() => {
        late = true;
        child.kill("SIGKILL");
      }, timeoutMs);
      child.stdout.on("data", (chunk: Buffer) => {
        if (size < most) out.push(chunk.subarray(0, most - size));
        size += chunk.length;
        if (size <= most) return;
        cut = true;
        child.kill("SIGTERM");
      });
      child.stderr.on("data", (chunk: Buffer) => (err = (err + chunk).slice(-20_000)));
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      child.once("error", (error) => {
        clearTimeout(timer);
        reject(cannotRun(error, cwd));
      });
      child.once("close", (code, signal) => {
        clearTimeout(timer);
        if (late) return reject(gitFailure(args, { err, why: `did not end within ${timeoutMs / 1000} s` }));
        if (signal && !cut) return reject(gitFailure(args, { err, why: `was ended by ${signal}` }));
        const bytes = Buffer.concat(out);
        resolve({ code: cut ? 0 : (code ?? 1), bytes, out: bytes.toString("utf8"), err, cut });
      });
    });
  }
}

/** As variables, for a key on the command line ends at its first `=` and the name of a filter may hold one. */
function variables(overrides: Overrides): Record<string, string> {
  const pairs = overrides.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([["GIT_CONFIG_COUNT", String(overrides.length)], ...pairs]);
}

function checked(answer: GitAnswer, args: readonly string[], { answers = [] }: GitOptions): GitAnswer {
  const { code, err } = answer;
  if (code === 0 || answers.includes(code)) return answer;
  throw gitFailure(args, { err, why: `ended with ${code}` });
}

/** What leads git to another repository, index or object store than that of the folder it is started in. */
const ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_.*|CONFIG_VALUE_.*|QUARANTINE_PATH|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|EXTERNAL_DIFF|DIFF_OPTS|TRACE.*|EDITOR|SEQUENCE_EDITOR|PAGER)$/;

function cleanEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !ELSEWHERE.test(name)) clean[name] = value;
  return { ...clean, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_PAGER: "cat" };
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
