import type { FileService } from "../../files/port.ts";
import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

const SHOWN = 50;

/** A file is somebody else's work: it may be looked at, and never run or read by another site. */
const INERT = {
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

export function fileRoutes(
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
