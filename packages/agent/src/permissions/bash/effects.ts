import { homedir } from "node:os";
import { join } from "node:path";
import { realPath } from "@gantry/trust";
import type { Action } from "../action.ts";
import { credentialPaths } from "../credentials.ts";
import { type Environment, gantryFolders, isGantryPath, isGantrySecret, matchesFolder } from "../gantry-folders.ts";
import { isInside, pathOf, possiblePaths } from "../paths.ts";
import { findSecretBelow, isSecretFile, linkedSecret, matchPattern } from "./reading/read-files.ts";
import type { ReadFile } from "./reading/reading-call.ts";

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

const MOST_FOLDERS = 16;

export const HARMLESS_DEVICE = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;

/** Collects what a command does: its worst class, network use, and the paths that it reads, writes and deletes. */
export class Effects {
  worst: CommandClass = "bash.readonly";
  network = false;
  /** The shell's folder; `undefined` after a `cd` to an unknown folder. */
  #cwd: string | undefined;
  /** All folders in which the shell may be, variables expanded. `undefined` after a `cd` to an unknown one. */
  #folders: readonly string[] | undefined;
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
    this.#folders = [cwd];
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
    const [cwd, folders] = [this.#cwd, this.#folders];
    work();
    this.#cwd = cwd;
    this.#folders = folders;
  }

  /** The folders in which the shell may be; `undefined` if that is not known. */
  get folders(): readonly string[] | undefined {
    return this.#folders;
  }

  /** Without targets the shell's folder is unknown from here on. A `cd` may fail, so the old folders stay possible. */
  changeFolder(targets: readonly string[] | undefined): void {
    const only = targets?.length === 1 ? targets[0] : undefined;
    this.#cwd = only !== undefined && !/[*?[{]/.test(only) ? pathOf(only, this.#cwd) : undefined;
    const before = this.#folders;
    if (!targets || !before || targets.some((text) => /[*?[{]/.test(text))) {
      this.#folders = undefined;
      return;
    }
    const added = targets.flatMap((text) => before.flatMap((folder) => possiblePaths(text, folder, this.#env)));
    const all = [...new Set([...before, ...added.filter((path) => path !== undefined)])];
    this.#folders = added.includes(undefined) || all.length > MOST_FOLDERS ? undefined : all;
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

  /** Records a file that a command names, if it is a secret. */
  read(text: string): void {
    for (const path of this.#pathsOf(text)) if (path !== undefined) this.#readPath(path);
  }

  /** Records what a program that counts as reading reads. A path that is not known before the run does not count. */
  readFile({ arg, how }: ReadFile): void {
    for (const root of arg.under) this.#readFolder(root, true);
    if (arg.under.length === 0 && arg.candidates.length === 0) {
      this.read(arg.text);
      if (how !== "names") this.raise("bash.mutating");
    }
    for (const text of arg.candidates) {
      const paths = arg.glob && /[*?[]/.test(text) ? this.#matchesOf(text) : this.#pathsOf(text);
      for (const path of paths) {
        if (path === undefined) {
          if (how !== "names") this.raise("bash.mutating");
          continue;
        }
        this.#readPath(path);
        if (how === "folder" || how === "linked folder") this.#readFolder(path, how === "linked folder");
        else if (how === "content") this.#readLinked(path);
      }
    }
  }

  /** The paths that a pattern matches, and the pattern itself. Undefined stands for matches that are not known. */
  #matchesOf(text: string): (string | undefined)[] {
    const [, folder = "", pattern = ""] = /^((?:[^*?[]*\/)?)(.*)$/s.exec(text) ?? [];
    if (/(^|\/)\.\.(\/|$)/.test(pattern)) return [undefined];
    return this.#pathsOf(folder === "" ? "." : folder).flatMap((root) => {
      if (root === undefined) return [undefined];
      return [join(root, pattern), ...(matchPattern(join(root, pattern)) ?? [undefined])];
    });
  }

  #pathsOf(text: string): (string | undefined)[] {
    const paths = (this.#folders ?? [undefined]).flatMap((folder) => possiblePaths(text, folder, this.#env));
    return [...new Set(paths)];
  }

  #readPath(path: string): void {
    const listGuarded = () => [...this.#gantry, ...credentialPaths([this.#env.HOME || homedir()])];
    const hit = /[*?[{]/.test(path) ? matchesFolder(path, listGuarded()) : undefined;
    if (hit !== undefined) this.#paths.push({ kind: "file.read", path: hit });
    else if (isSecretFile(path) || isGantrySecret(path, this.#gantry, this.#inside)) {
      this.#paths.push({ kind: "file.read", path });
    }
  }

  #readLinked(path: string): void {
    const linked = linkedSecret(path);
    if (linked !== undefined) this.#paths.push({ kind: "file.read", path: linked });
  }

  #readFolder(folder: string, links: boolean): void {
    const roots = [folder, realPath(folder)];
    for (const own of this.#gantry) if (isInside(own, roots)) this.#paths.push({ kind: "file.read", path: own });
    const secret = findSecretBelow(folder, this.#inside, links);
    if (secret === "unknown") this.raise("bash.mutating");
    else if (secret !== undefined) this.#paths.push({ kind: "file.read", path: secret });
    this.#readLinked(folder);
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
    for (const path of this.#pathsOf(text)) {
      if (path === undefined) continue;
      const hit = /[*?[{]/.test(path) ? matchesFolder(path, this.#gantry) : undefined;
      if (hit !== undefined) this.#paths.push({ kind, path: hit });
      else if (isGantryPath(path, this.#gantry, this.#inside)) this.#paths.push({ kind, path });
    }
  }
}
