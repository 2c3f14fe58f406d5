import { errorText } from "../../contract/errors.ts";
import type { UserInterface } from "../../contract/ui.ts";
import type { ExtensionUi } from "../api/types.ts";
import { fileInStack } from "./import-module.ts";
import type { Loaded } from "./loaded.ts";

/** Failures in a row after which an extension is disabled. */
const MOST_FAILURES = 3;

/** The folder of Gantry's code: of the packages, or of the bundle. */
const OWN_CODE = import.meta.dirname.replace(/\/agent\/src\/extensions\/load$/, "");

/** What went wrong in an extension, for people. `event`: what was running. */
export type ExtensionFailure = { name: string; path: string; event: string; error: string };
export type ReportFailure = (failure: ExtensionFailure) => void;

/** The time that a piece of extension code may take. It does not run while a dialog waits for the user. */
class Deadline {
  readonly expired: Promise<never>;
  #fail!: (error: Error) => void;
  #left: number;
  #since = 0;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = this.#left = ms;
    this.expired = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.expired.catch(() => undefined);
    this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    this.#since = Date.now();
    const seconds = Math.round(this.#ms / 100) / 10;
    this.#timer = setTimeout(() => this.#fail(new Error(`It took longer than ${seconds} s.`)), this.#left);
  }

  hold(): void {
    this.#held += 1;
    if (this.#held > 1) return;
    clearTimeout(this.#timer);
    this.#left -= Date.now() - this.#since;
  }

  resume(): void {
    this.#held -= 1;
    if (this.#held === 0) this.#start();
  }
}

/**
 * Runs code of extensions. Whatever it does, the caller gets a value or `undefined`; a failure is reported once for each
 * text, and an extension that fails three times in a row at the same thing is disabled. Code that blocks the process
 * without a pause cannot be stopped.
 */
export class Supervisor {
  readonly #report: ReportFailure;
  readonly #reported = new Set<string>();
  readonly #running = new WeakMap<Loaded, Set<Deadline>>();
  readonly #onDisabled: (extension: Loaded) => void;

  constructor(report: ReportFailure, onDisabled: (extension: Loaded) => void = () => {}) {
    this.#report = report;
    this.#onDisabled = onDisabled;
  }

  /** `check` returns what is wrong with the result. */
  async run<Value>(
    extension: Loaded,
    event: string,
    deadlineMs: number,
    work: () => Value | Promise<Value>,
    check: (value: Awaited<Value>) => string | undefined = () => undefined,
  ): Promise<{ value: Awaited<Value> } | undefined> {
    if (extension.state !== "active") return undefined;
    const deadline = new Deadline(deadlineMs);
    const running = this.#running.get(extension) ?? new Set();
    this.#running.set(extension, running.add(deadline));
    try {
      const value = await Promise.race([Promise.resolve().then(work), deadline.expired]);
      const problem = check(value as Awaited<Value>);
      if (problem !== undefined) throw new Error(problem);
      extension.failures.delete(event);
      return { value: value as Awaited<Value> };
    } catch (error) {
      this.fail(extension, event, errorText(error));
      return undefined;
    } finally {
      running.delete(deadline);
      deadline.end();
    }
  }

  /** The user interface for an extension: while one of its dialogs is open, its deadlines do not run. */
  uiFor(extension: Loaded, ui: ExtensionUi): ExtensionUi {
    const pause = <Args extends unknown[], Value>(ask: (...args: Args) => Promise<Value>) => {
      return async (...args: Args): Promise<Value> => {
        const held = [...(this.#running.get(extension) ?? [])];
        for (const deadline of held) deadline.hold();
        try {
          return await ask(...args);
        } finally {
          for (const deadline of held) deadline.resume();
        }
      };
    };
    return {
      ...ui,
      select: pause((...args: Parameters<UserInterface["select"]>) => ui.select(...args)),
      confirm: pause((...args: Parameters<UserInterface["confirm"]>) => ui.confirm(...args)),
      input: pause((...args: Parameters<UserInterface["input"]>) => ui.input(...args)),
      editor: pause((...args: Parameters<UserInterface["editor"]>) => ui.editor(...args)),
    };
  }

  /** Also for results that make no sense. */
  fail(extension: Loaded, event: string, error: string): void {
    const failures = (extension.failures.get(event) ?? 0) + 1;
    extension.failures.set(event, failures);
    this.#reportOnce(extension, event, error);
    if (failures < MOST_FAILURES || extension.state !== "active") return;
    extension.state = "disabled";
    extension.problem = `Disabled after ${failures} failures in a row at ${event}: ${error}`;
    this.#reportOnce(extension, event, `${extension.problem} /reload enables it again.`);
    this.#onDisabled(extension);
  }

  succeed(extension: Loaded, event: string): void {
    extension.failures.delete(event);
  }

  /** Reports something that is not a failure of the extension, once. */
  note(extension: Loaded, event: string, text: string): void {
    this.#reportOnce(extension, event, text);
  }

  #reportOnce({ found: { name, path } }: Loaded, event: string, error: string): void {
    const key = JSON.stringify([path, event, error]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#report({ name, path, event, error });
  }

  /**
   * Reports errors that extensions throw outside of their handlers, such as in a timer, instead of ending the process. Errors
   * of other code end it as before. In an embedded agent, an error without a trace of an extension is the program's. Returns
   * a function that stops this.
   */
  watchProcess(extensions: () => readonly Loaded[], isEmbedded = false): () => void {
    return addWatcher((error, file) => {
      // Timers of a disabled extension still run.
      const modules = extensions().filter(({ release }) => release !== undefined);
      const exact = modules.find(({ found }) => file !== undefined && found.files.has(file));
      // An error without a trace of Gantry's code, such as that of a program that an extension started, is an extension's.
      const owner = exact ?? (isEmbedded || isOwnError(error) ? undefined : modules[0]);
      if (owner) this.fail(owner, "background work", errorText(error));
      return owner !== undefined;
    });
  }
}

/** Returns whether the error is that of an extension. */
type Watcher = (error: unknown, file: string | undefined) => boolean;

const watchers = new Set<Watcher>();

/** One listener for all agents of the process: Node counts an error as handled if there is any. */
function onUncaughtError(error: unknown): void {
  const file = fileInStack(error);
  if ([...watchers].some((isOwner) => isOwner(error, file))) return;
  if (file !== undefined || process.listenerCount("uncaughtException") > 1) return;
  process.stderr.write(`${(error as Error)?.stack ?? String(error)}\n`);
  process.exit(1);
}

function addWatcher(watcher: Watcher): () => void {
  if (watchers.size === 0) process.on("uncaughtException", onUncaughtError);
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) process.off("uncaughtException", onUncaughtError);
  };
}

/** A trace with a file of an extension is the extension's, also if Gantry's code called it. */
function isOwnError(error: unknown): boolean {
  if (!(error instanceof Error) || fileInStack(error) !== undefined) return false;
  return (error.stack ?? "").includes(OWN_CODE);
}
