import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type RawPath, rawPaths } from "./paths.ts";
import type { Shadow } from "./shadow.ts";

/** What is in an index although the rules of the work tree ignore it. */
const KEPT_THOUGH_IGNORED = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];

/** `added`: git has them though they are ignored, so they are part of the work. `dropped`: ignored since we took them. */
export type IgnoredPaths = { added: RawPath[]; dropped: RawPath[] };

const NONE: IgnoredPaths = { added: [], dropped: [] };

/**
 * Where the rules of the work tree and what is in the two indexes differ. Asked only when something may have changed: the
 * user's index, or a file of rules. What is ignored since the last begin of a turn is dropped with the next: at the end of
 * the turn that ignored it, it would look as if it had been deleted.
 */
export class Ignored {
  #stamp = "";
  #due: RawPath[] = [];

  async check(shadow: Shadow, changed: readonly RawPath[], drops: boolean): Promise<IgnoredPaths> {
    const found = await this.#look(shadow, changed);
    if (!drops) return { ...found, dropped: [] };
    const dropped = this.#due;
    this.#due = [];
    return { ...found, dropped };
  }

  /** What was dropped could not be, so it is to be tried again. */
  forget(): void {
    this.#stamp = "";
  }

  async #look(shadow: Shadow, changed: readonly RawPath[]): Promise<IgnoredPaths> {
    const stamp = stampOf(shadow);
    if (stamp === this.#stamp && !changed.some((path) => path.endsWith(".gitignore"))) return NONE;
    const [theirs, ours] = await Promise.all([
      shadow.look(KEPT_THOUGH_IGNORED).then(({ bytes }) => rawPaths(bytes)),
      shadow.read(KEPT_THOUGH_IGNORED).then(({ bytes }) => rawPaths(bytes)),
    ]);
    this.#stamp = stamp;
    const [tracked, taken] = [new Set(theirs), new Set(ours)];
    this.#due = ours.filter((path) => !tracked.has(path));
    return { added: theirs.filter((path) => !taken.has(path)), dropped: [] };
  }
}

function stampOf({ place: { gitDir, commonDir } }: Shadow): string {
  const index = statSync(join(gitDir, "index"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  try {
    return `${index} ${readFileSync(join(commonDir, "info", "exclude"), "utf8")}`;
  } catch {
    return `${index} none`;
  }
}
