import type { FolderList, FoundPaths } from "@gantry/protocol";
import { sessionFolder } from "../session/folders.ts";
import { readContent } from "./content.ts";
import { listFolders } from "./folders.ts";
import type { FileContent, FileService } from "./handlers.ts";
import { listPaths } from "./path-list.ts";
import { type Candidate, candidate, rankPaths } from "./path-rank.ts";

type Listed = { candidates: Candidate[]; cut: boolean };

/** Each typed letter is a request, so the list is cached for this long. */
const FRESH_MS = 5000;

export type FilesDeps = {
  /** The daemon's own folder, where uploads are. */
  home: string;
  /** Folders of sessions, the newest first. */
  used(): string[];
};

export class Files implements FileService {
  readonly #deps: FilesDeps;
  readonly #lists = new Map<string, Promise<Listed>>();

  constructor(deps: FilesDeps) {
    this.#deps = deps;
  }

  async find(cwd: string, q: string, limit: number): Promise<FoundPaths> {
    const { candidates, cut } = await this.#list(sessionFolder({ cwd }));
    const { found, more } = rankPaths(candidates, q, limit);
    return { files: found, truncated: cut || more };
  }

  folders(path?: string): Promise<FolderList> {
    return listFolders(path, this.#deps.used());
  }

  read(cwd: string, path: string): Promise<FileContent> {
    return readContent(path, cwd, this.#deps.home);
  }

  /** Concurrent requests share one listing, which is cached for a short time. */
  #list(folder: string): Promise<Listed> {
    const known = this.#lists.get(folder);
    if (known) return known;
    const list = look(folder).finally(() => {
      setTimeout(() => this.#lists.delete(folder), FRESH_MS).unref();
    });
    this.#lists.set(folder, list);
    return list;
  }
}

async function look(folder: string): Promise<Listed> {
  const { files, folders, cut } = await listPaths(folder);
  const candidates = [
    ...folders.map((path) => candidate(path, "folder")),
    ...files.map((path) => candidate(path, "file")),
  ];
  return { candidates, cut };
}
