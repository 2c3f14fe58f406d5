import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../contract/tool.ts";
import { codeOf } from "./path.ts";

/** Opens a folder only to refer to it. Node.js has no name for this flag; it has this value on all Linux architectures. */
const O_PATH = 0x200000;

/**
 * Folders that are open while files in them change (TOCTOU): a path through an open folder reaches that folder also if
 * another process replaces it, or a folder above it, by a link. Where there is no `/proc`, paths are used unchanged.
 */
export class PinnedFolders {
  readonly #files = new Map<string, number>();

  /** The same entry, through its open folder. `path` is a real path. Throws a `ToolError` if its folder is not real now. */
  locate(path: string): string {
    if (process.platform !== "linux") return path;
    const folder = dirname(path);
    const file = this.#files.get(folder) ?? this.#open(folder);
    return join(`/proc/self/fd/${file}`, basename(path));
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #open(folder: string): number {
    try {
      const file = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      this.#files.set(folder, file);
      if (readlinkSync(`/proc/self/fd/${file}`) === folder) return file;
    } catch (error) {
      if (codeOf(error) === "ENOENT") throw new ToolError(`${folder} does not exist.`);
      if (!["ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "")) throw error;
    }
    throw new ToolError(`${folder} was replaced meanwhile; nothing was changed. Try again.`);
  }
}
