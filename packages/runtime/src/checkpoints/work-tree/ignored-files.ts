import { join } from "node:path";
import { readRegularText, statOf } from "@gantry/trust";
import { type RawPath, rawPaths } from "./paths.ts";
import type { Shadow } from "./shadow.ts";

/** Files that are in an index although the rules of the work tree ignore them. */
const TRACKED_BUT_IGNORED = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];

/** `added`: the user's git tracks them although ignored. `dropped`: became ignored after they entered our index. */
export type IgnoredPaths = { added: RawPath[]; dropped: RawPath[] };

const NONE: IgnoredPaths = { added: [], dropped: [] };

/**
 * Finds where the ignore rules differ from the user's index and from ours. Runs only when the user's index or a rules
 * file may have changed. A file that became ignored is dropped at the start of the next turn: at the end of the current
 * one it would look deleted.
 */
export class IgnoredFiles {
  #stamp = "";
  #due: RawPath[] = [];

  async check(shadow: Shadow, changed: readonly RawPath[], drops: boolean): Promise<IgnoredPaths> {
    const found = await this.#look(shadow, changed);
    if (!drops) return { ...found, dropped: [] };
    const dropped = this.#due;
    this.#due = [];
    return { ...found, dropped };
  }

  /** The dropRefs failed, so the next check repeats it. */
  forget(): void {
    this.#stamp = "";
  }

  async #look(shadow: Shadow, changed: readonly RawPath[]): Promise<IgnoredPaths> {
    const stamp = stampOf(shadow);
    if (stamp === this.#stamp && !changed.some((path) => path.endsWith(".gitignore"))) return NONE;
    const [theirs, ours] = await Promise.all([
      shadow.look(TRACKED_BUT_IGNORED).then(({ bytes }) => rawPaths(bytes)),
      shadow.read(TRACKED_BUT_IGNORED).then(({ bytes }) => rawPaths(bytes)),
    ]);
    this.#stamp = stamp;
    const [tracked, taken] = [new Set(theirs), new Set(ours)];
    this.#due = ours.filter((path) => !tracked.has(path));
    return { added: theirs.filter((path) => !taken.has(path)), dropped: [] };
  }
}

function stampOf({ place: { gitDir, commonDir } }: Shadow): string {
  const index = statOf(join(gitDir, "index"))?.mtimeMs ?? 0;
  try {
    return `${index} ${readRegularText(join(commonDir, "info", "exclude"))}`;
  } catch {
    return `${index} none`;
  }
}
