import type { FolderList, FoundPaths } from "@gantry/protocol";
import { createFileIndex, type FileIndex } from "@gantry/terminal/files";
import { sessionFolder } from "../session/folders.ts";
import { readContent } from "./content.ts";
import { listFolders } from "./folders.ts";
import type { FileContent, FileService } from "./handlers.ts";

/** Each typed letter is a request. An index that no request used for this long is released. */
const IDLE_MS = 60_000;

export type FilesDeps = {
  /** The daemon's own folder, where uploads are. */
  home: string;
  /** Folders of sessions, the newest first. */
  used(): string[];
};

export class Files implements FileService {
  readonly #deps: FilesDeps;
  readonly #indexes = new Map<string, { index: FileIndex; idle: NodeJS.Timeout }>();

  constructor(deps: FilesDeps) {
    this.#deps = deps;
  }

  async find(cwd: string, q: string, limit: number): Promise<FoundPaths> {
    const index = this.#index(sessionFolder({ cwd }));
    const found = await index.search(q, limit + 1);
    const files = found.slice(0, limit).map(({ path, kind }) => ({ path, kind }));
    return { files, truncated: index.isCut || found.length > limit };
  }

  folders(path?: string): Promise<FolderList> {
    return listFolders(path, this.#deps.used());
  }

  read(cwd: string, path: string): Promise<FileContent> {
    return readContent(path, cwd, this.#deps.home);
  }

  #index(folder: string): FileIndex {
    const known = this.#indexes.get(folder);
    if (known) {
      known.idle.refresh();
      return known.index;
    }
    const index = createFileIndex(folder);
    const release = () => {
      this.#indexes.delete(folder);
      index.close();
    };
    this.#indexes.set(folder, { index, idle: setTimeout(release, IDLE_MS).unref() });
    return index;
  }
}
