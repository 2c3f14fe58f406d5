import type { FolderTrust, PutTrust, TrustedFolder } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Workspace trust. Methods throw `invalid` for a path that is not a folder. */
export interface TrustService {
  look(path: string): Promise<FolderTrust>;
  list(): TrustedFolder[];
  /** Throws `conflict` if the content differs from the digest. Nothing is trusted then. */
  put(body: PutTrust): Promise<FolderTrust>;
  revoke(path: string): { path: string; revoked: boolean };
}

export function trustHandlers(trust: TrustService): Pick<Handlers, "getTrust" | "putTrust" | "deleteTrust"> {
  return {
    getTrust: async ({ query: { path } }) => ({
      json: path === undefined ? { folders: trust.list() } : await trust.look(path),
    }),
    putTrust: async ({ body }) => ({ json: await trust.put(body) }),
    deleteTrust: ({ query }) => ({ json: trust.revoke(query.path) }),
  };
}
