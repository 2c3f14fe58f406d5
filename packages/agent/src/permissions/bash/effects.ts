import type { Action } from "../action.ts";
import { type Environment, gantryFolders, isGantryPath, isGantrySecret, matchesFolder } from "../gantry-folders.ts";
import { expandedPath, isInside, isSecretPath, pathOf } from "../paths.ts";

/** From harmless to worst. */
export const COMMAND_CLASSES = [
  "bash.readonly",
  "bash.mutating",
  "file.write",
  "file.delete",
  "git.force_push",
  "bash.destructive",
] as const;
export type CommandClass = (typeof COMMAND_CLASSES)[number];

/** An argument of a command. `dynamic`: the shell expands it at run time, so its value is unknown. */
export type Operand = { text: string; dynamic: boolean };

export const HARMLESS_DEVICE = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;

/** Collects what a command does: its worst class, network use, and the paths that it reads, writes and deletes. */
export class Effects {
  worst: CommandClass = "bash.readonly";
  network = false;
  /** The shell's folder; `undefined` after a `cd` to an unknown folder. */
  #cwd: string | undefined;
  /** The same with variables expanded from the environment. A guess: used to find reads, never to allow anything. */
  #guessedCwd: string | undefined;
  /** Something is destroyed that may lie outside the session's folders. */
  #destroysOutside = false;
  #forced = false;
  #uncertain = false;
  readonly #inside: readonly string[];
  readonly #env: Environment;
  readonly #gantry: readonly string[];
  readonly #paths: Action[] = [];

  constructor(inside: readonly string[], cwd: string, env: Environment) {
    this.#inside = inside;
    this.#cwd = cwd;
    this.#guessedCwd = cwd;
    this.#env = env;
    this.#gantry = gantryFolders(env);
  }

  get uncertain(): boolean {
    return this.#uncertain;
  }

  actions(command: string): Action[] {
    const bash: Action[] = [];
    if (this.worst === "bash.destructive") {
      bash.push({ kind: "bash.destructive", command, ...(this.#destroysOutside ? {} : { inside: true as const }) });
    } else if (this.worst === "git.force_push") bash.push({ kind: "git.force_push", command });
    else if (this.worst === "bash.readonly") bash.push({ kind: "bash.readonly", command });
    else bash.push({ kind: "bash.mutating", command });
    if (this.worst === "bash.destructive" && this.#forced) bash.push({ kind: "git.force_push", command });
    return [...bash, ...this.#paths];
  }

  /** Runs `work`, which a subshell does: a `cd` in it does not change the folder of the commands after it. */
  inSubshell(work: () => void): void {
    const [cwd, guessed] = [this.#cwd, this.#guessedCwd];
    work();
    this.#cwd = cwd;
    this.#guessedCwd = guessed;
  }

  /** Without a target the shell's folder is unknown from here on. */
  changeFolder(target: (Operand & { glob: boolean }) | undefined): void {
    this.#guessedCwd = target ? expandedPath(target.text, this.#guessedCwd, this.#env) : undefined;
    this.#cwd = target && !target.glob ? pathOf(target.text, this.#cwd) : undefined;
  }

  raise(severity: CommandClass): void {
    if (COMMAND_CLASSES.indexOf(severity) > COMMAND_CLASSES.indexOf(this.worst)) this.worst = severity;
  }

  /** The text could not be parsed reliably: it may contain commands that were not recognised. */
  markUncertain(): void {
    this.#uncertain = true;
    this.raise("bash.mutating");
  }

  forcePush(): void {
    this.#forced = true;
    this.raise("git.force_push");
  }

  destroy(outside = true): void {
    if (outside) this.#destroysOutside = true;
    this.raise("bash.destructive");
  }

  read(text: string): void {
    const path = expandedPath(text, this.#guessedCwd, this.#env);
    if (path === undefined) return;
    const hit = /[*?[{]/.test(path) ? matchesFolder(path, this.#gantry) : undefined;
    if (hit !== undefined) this.#paths.push({ kind: "file.read", path: hit });
    else if (isSecretPath(path) || isGantrySecret(path, this.#gantry, this.#inside)) {
      this.#paths.push({ kind: "file.read", path });
    }
  }

  write({ text }: Operand): void {
    this.raise("file.write");
    if (/^\/dev\/(sd|nvme|hd|vd|mem|disk)/.test(text)) this.destroy();
    const path = pathOf(text, this.#cwd);
    if (path) this.#paths.push({ kind: "file.write", path });
    this.#changeGantry("file.write", text);
  }

  /** `much`: recursively, or by force. */
  delete(operand: Operand, much: boolean): void {
    this.raise("file.delete");
    const path = pathOf(operand.text, this.#cwd);
    if (path) this.#paths.push({ kind: "file.delete", path });
    this.#changeGantry("file.delete", operand.text);
    if (much || path === undefined) this.destroy(!this.isInside(operand));
  }

  isInside({ text }: Operand): boolean {
    const path = pathOf(text, this.#cwd);
    // Removing the folder itself is not a change inside it.
    return path !== undefined && !text.includes("{") && isInside(path, this.#inside) && !this.#inside.includes(path);
  }

  /** Every mode asks before a change in Gantry's folders, so such a change is reported even if the path is a guess. */
  #changeGantry(kind: "file.write" | "file.delete", text: string): void {
    const path = expandedPath(text, this.#guessedCwd, this.#env);
    if (path === undefined) return;
    const hit = /[*?[{]/.test(path) ? matchesFolder(path, this.#gantry) : undefined;
    if (hit !== undefined) this.#paths.push({ kind, path: hit });
    else if (isGantryPath(path, this.#gantry, this.#inside)) this.#paths.push({ kind, path });
  }
}
