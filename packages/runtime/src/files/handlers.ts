import type { FolderList, FoundPaths } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";
import type { SessionService } from "../session/api.ts";

export type FileContent = { body: Uint8Array; type: string };

/** Read-only access to files and folders. Methods throw `GantryError` for mistakes of the client. */
export interface FileService {
  /** Paths below the folder `cwd` that fit `q`. Throws `invalid` when it is no folder. */
  find(cwd: string, q: string, limit: number): Promise<FoundPaths>;
  /** Folders to pick from. Throws `invalid`. */
  folders(path?: string): Promise<FolderList>;
  /** A file of the session that works in `cwd`. Throws `not_found`, `outside_folder`, `invalid` or `too_large`. */
  read(cwd: string, path: string): Promise<FileContent>;
}

const SHOWN = 50;

/** Headers for untrusted file content: it may be shown, and never run or read by another site. */
const INERT = {
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

export function fileHandlers(
  files: FileService,
  service: SessionService,
): Pick<Handlers, "findFiles" | "listFolders" | "readFile"> {
  return {
    findFiles: async ({ query: { session, cwd, q = "", limit = SHOWN } }) => {
      const folder = session === undefined ? (cwd ?? "") : service.get(session).cwd;
      return { json: await files.find(folder, q, limit) };
    },
    listFolders: async ({ query }) => ({ json: await files.folders(query.path) }),
    readFile: async ({ params, query }) => {
      const { body, type } = await files.read(service.get(params.id).cwd, query.path);
      return { bytes: body, headers: { ...INERT, "content-type": type } };
    },
  };
}
