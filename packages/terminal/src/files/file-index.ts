import { listPaths } from "./list-paths.ts";
import { buildTable } from "./path-table.ts";
import { type FileMatch, PathSearch } from "./rank-paths.ts";

/** The files and folders below a root, for fuzzy search while a user types. */
export type FileIndex = {
  /**
   * The best matches, best first. The first call waits for the listing. A list older than a few seconds is listed again in
   * the background, for later calls. Resolves to an empty list after `close`. Never rejects.
   */
  search(query: string, limit: number): Promise<FileMatch[]>;
  /** Lists the files again. Concurrent calls share one listing. Never rejects. */
  refresh(): Promise<void>;
  /** Whether the listing was cut: there are more files than are indexed. */
  readonly isCut: boolean;
  /** Stops a listing that runs, and releases the memory. */
  close(): void;
};

const FRESH_MS = 5000;

/** Creates the index of a folder. It lists nothing before the first `search` or `refresh`. */
export function createFileIndex(root: string): FileIndex {
  const closing = new AbortController();
  let current: { search: PathSearch; isCut: boolean; at: number } | undefined;
  let listing: Promise<void> | undefined;

  const list = async () => {
    const { files, folders, cut } = await listPaths(root, closing.signal);
    const groups = [
      { paths: folders, kind: "folder" as const },
      { paths: files, kind: "file" as const },
    ];
    const table = await buildTable(groups, closing.signal);
    if (!closing.signal.aborted) current = { search: new PathSearch(table), isCut: cut, at: performance.now() };
  };
  const refresh = () => {
    if (closing.signal.aborted) return Promise.resolve();
    listing ??= list().finally(() => {
      listing = undefined;
    });
    return listing;
  };
  return {
    refresh,
    async search(query, limit) {
      if (!current) await refresh();
      if (!current) return [];
      if (performance.now() - current.at > FRESH_MS) void refresh();
      return current.search.find(query, limit);
    },
    get isCut() {
      return current?.isCut ?? false;
    },
    close() {
      closing.abort();
      current = undefined;
    },
  };
}
