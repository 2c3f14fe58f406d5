import type { FolderList, FoundPaths } from "@gantry/protocol";

export type FileContent = { body: Uint8Array; type: string };

/** Looks at files and folders; changes nothing. Methods throw `GantryError` for what the caller did wrong. */
export interface FileService {
  /** Paths below the folder `cwd` that fit `q`. Throws `invalid` when it is no folder. */
  find(cwd: string, q: string, limit: number): Promise<FoundPaths>;
  /** Folders to pick from. Throws `invalid`. */
  folders(path?: string): Promise<FolderList>;
  /** A file of the session that works in `cwd`. Throws `not_found`, `outside_folder`, `invalid` or `too_large`. */
  read(cwd: string, path: string): Promise<FileContent>;
}
