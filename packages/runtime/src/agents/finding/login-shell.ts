import { homedir, userInfo } from "node:os";
import { BriefProcess } from "./brief-process.ts";
import { agentEnvironment, type Environment, pathFolders } from "./environment.ts";

/** Delimits the PATH in the output, because start-up files may print too. */
const MARK = "__gantry_path__";
const TIMEOUT_MS = 5000;

/**
 * The PATH of the user's login shell. Reading it runs all start-up files, which may take seconds or hang. It is
 * therefore read at most once until `forget`, with a deadline.
 */
export class LoginShell {
  readonly #env: Environment;
  readonly #timeoutMs: number;
  #folders: Promise<string[]> | undefined;

  constructor(env: Environment, options: { timeoutMs?: number } = {}) {
    this.#env = env;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /** The folders on that PATH; empty when the shell does not answer. Never rejects. */
  folders(): Promise<string[]> {
    this.#folders ??= this.#ask();
    return this.#folders;
  }

  forget(): void {
    this.#folders = undefined;
  }

  async #ask(): Promise<string[]> {
    const shell = this.#env.SHELL || accountShell();
    if (!shell) return [];
    const script = `printf '\\n%s' ${MARK}; printenv PATH; printf '%s\\n' ${MARK}`;
    const brief = new BriefProcess([shell, "-l", "-i", "-c", script], {
      cwd: this.#env.HOME || homedir(),
      env: agentEnvironment(this.#env, { TERM: "dumb" }),
      timeoutMs: this.#timeoutMs,
    });
    brief.end();
    const { stdout } = await brief.result;
    return pathFolders(stdout.split(MARK)[1]?.trim());
  }
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}
