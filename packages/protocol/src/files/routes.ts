import { z } from "zod";
import { SessionId } from "../ids/schema.ts";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { AbsolutePath, FolderList, FoundPaths } from "./schema.ts";

/** Files and folders on the daemon's machine, for completion, images and pickers. */
export const fileRoutes = {
  findFiles: {
    method: "GET",
    path: "/v1/files",
    summary:
      "Finds files and folders in a session's folder, or in `cwd`, whose path contains the letters of `q` in order; best matches first.",
    query: z
      .strictObject({
        session: SessionId.optional(),
        cwd: AbsolutePath.optional(),
        q: z.string().max(200).optional(),
        limit: decimal(1, 500).optional(),
      })
      .refine(({ session, cwd }) => (session === undefined) !== (cwd === undefined), "name either session or cwd"),
    status: 200,
    response: FoundPaths,
    errors: ["no_such_session", "invalid"],
    client: "files.find(query, signal?)",
  },
  listFolders: {
    method: "GET",
    path: "/v1/folders",
    summary: "Lists the folders in a folder (default: the user's home), and the folders that sessions used last.",
    query: z.strictObject({ path: AbsolutePath.optional() }),
    status: 200,
    response: FolderList,
    errors: ["invalid"],
    client: "files.folders(path?, signal?)",
  },
  readFile: {
    method: "GET",
    path: "/v1/sessions/:id/file",
    summary:
      "Returns a file of the session's folder or of the uploads: images with their media type, all others as plain text.",
    query: z.strictObject({ path: z.string().min(1).max(4096) }),
    status: 200,
    response: z.unknown(),
    bytes: true,
    errors: ["no_such_session", "outside_folder", "not_found", "invalid", "too_large"],
  },
} as const satisfies Record<string, Route>;
