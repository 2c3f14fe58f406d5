import { homedir, userInfo } from "node:os";
import { BriefProcess } from "./brief-process.ts";
import { agentEnvironment, type Environment, pathFolders } from "./environment.ts";

/** Start-up files print greetings; the PATH is what stands between two of these. */
const MARK = "__gantry_path__";
const TIMEOUT_MS = 5000;

/**
 * The PATH that a person has in a terminal. Asking runs all their start-up files, which may take seconds or hang, so
 * it is asked at most once until `forget`, and given up after a deadline.
 */
export class LoginShell {
  readonly #env: Environment;
  readonly #timeoutMs: number;
  #folders: Promise<string[]> | undefined;

  constructor(env: Environment, options: { timeoutMs?: number } = {}) {
    this.#env = env;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /** Its folders, or none when the shell cannot be asked. Never throws. */
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
