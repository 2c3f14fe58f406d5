import type { SandboxProfile } from "../../sandbox/profile.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { KERNEL_TIMES, Kernel, type KernelTimes } from "./kernel.ts";
import { type Language, type LaunchOptions, launch } from "./languages.ts";

const MOST = 4;
const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 30_000;

export type KernelsOptions = LaunchOptions & {
  sandbox(): Promise<Sandbox>;
  required?: boolean;
  times?: KernelTimes;
  idleMs?: number;
};

/** `note`: information for the model, for example that the old state is lost. */
export type Got = { kernel: Kernel; note?: string } | { missing: string };

/** `ended`: by `restrict`, which is not a failure of the kernel. */
type Slot = { kernel: Kernel; profile: string; key: string; ended?: boolean };

/** The part of a profile that decides what code may do. The rest, such as hidden files, changes from call to call. */
function permissionsOf(profile: SandboxProfile | undefined): string {
  return JSON.stringify(profile ? [profile.writable, profile.network, profile.tmp] : null);
}

/**
 * The kernels of a session: one per language and folder, at most four, ended after five idle minutes. A kernel that died
 * is restarted once; if it dies again, only a reset starts another.
 */
export class Kernels {
  readonly #options: KernelsOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #deaths = new Map<string, number>();
  #sweep: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: KernelsOptions) {
    this.#options = options;
  }

  async get(language: Language, profile: SandboxProfile | undefined, reset: boolean): Promise<Got> {
    if (this.#disposed) return { missing: "The session has ended." };
    const key = language;
    const wanted = permissionsOf(profile);
    const slot = this.#slots.get(key);
    if (reset) this.#deaths.delete(key);
    if (slot && !reset && !slot.kernel.gone && !slot.ended && slot.profile === wanted) return { kernel: slot.kernel };
    let note: string | undefined;
    if (slot) {
      this.#slots.delete(key);
      if (slot.kernel.gone && !slot.ended) this.#deaths.set(key, (this.#deaths.get(key) ?? 0) + 1);
      await slot.kernel.close();
      if (!reset)
        note =
          slot.kernel.gone && slot.profile === wanted && !slot.ended
            ? "The kernel had died and was restarted; its state is lost."
            : "The kernel was restarted because its permissions changed; its state is lost.";
    }
    if ((this.#deaths.get(key) ?? 0) > 1) return { missing: "The kernel died repeatedly; reset it to start another." };
    return await this.#start(key, language, profile, wanted, note);
  }

  /** Whether there is an interpreter for the language. Starts nothing. */
  canStart(language: Language): boolean {
    return !("missing" in launch(language, this.#options));
  }

  /** Ends all kernels, because the mode allows less than they may do. Code that runs now is stopped. */
  restrict(): void {
    for (const slot of this.#slots.values()) {
      slot.ended = true;
      void slot.kernel.close();
    }
  }

  /** Ends the kernel; the next call starts a fresh one. */
  async end(language: Language): Promise<void> {
    const slot = this.#slots.get(language);
    this.#slots.delete(language);
    await slot?.kernel.close();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#slots.values()].map(({ kernel }) => kernel.close()));
    this.#slots.clear();
  }

  async #start(
    key: string,
    language: Language,
    profile: SandboxProfile | undefined,
    wanted: string,
    note?: string,
  ): Promise<Got> {
    const how = launch(language, this.#options);
    if ("missing" in how) return how;
    const command = await this.#wrapCommand(how.command, profile);
    if (typeof command === "string") return { missing: command };
    await this.#makeRoom();
    const kernel = new Kernel(command, { cwd: this.#options.cwd, env: how.env }, this.#options.times ?? KERNEL_TIMES);
    if (!(await kernel.ready)) {
      await kernel.close();
      return {
        missing:
          `The ${language === "py" ? "Python" : "JavaScript"} kernel did not start. ${kernel.errorOutput}`.trim(),
      };
    }
    this.#slots.set(key, { kernel, profile: wanted, key });
    this.#sweep ??= setInterval(() => this.#endIdle(), Math.min(SWEEP_MS, this.#options.idleMs ?? SWEEP_MS)).unref();
    const notes = [note, how.note].filter((each) => each !== undefined).join(" ");
    return { kernel, ...(notes !== "" && { note: notes }) };
  }

  async #wrapCommand(command: string[], profile: SandboxProfile | undefined): Promise<string[] | string> {
    if (!profile) return command;
    const sandbox = await this.#options.sandbox();
    if (sandbox.kind !== "none") return sandbox.wrap(command, profile, this.#options.cwd);
    return this.#options.required ? `${sandbox.why} The settings require one, so nothing was run.` : command;
  }

  async #makeRoom(): Promise<void> {
    if (this.#slots.size < MOST) return;
    const [oldest] = [...this.#slots.values()].sort((a, b) => a.kernel.usedAt - b.kernel.usedAt);
    if (!oldest) return;
    this.#slots.delete(oldest.key);
    await oldest.kernel.close();
  }

  #endIdle(): void {
    const limit = Date.now() - (this.#options.idleMs ?? IDLE_MS);
    for (const slot of this.#slots.values()) {
      if (slot.kernel.busy || slot.kernel.usedAt > limit) continue;
      this.#slots.delete(slot.key);
      void slot.kernel.close();
    }
  }
}
