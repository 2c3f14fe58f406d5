import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { FolderTrust, PutTrust, TrustedFolder, TrustQuery } from "./schema.ts";

const git = ["git_failed", "git_locked", "unavailable"] as const;

/** Workspace trust: which folders may run what they supply. For people only; a session's own token gets 403. */
export const trustRoutes = {
  getTrust: {
    method: "GET",
    path: "/v1/trust",
    summary:
      "With `path`: what the folder would run and whether it is trusted. Without: `folders`, the list of all trusted folders. Runs nothing.",
    query: TrustQuery,
    status: 200,
    response: z.union([FolderTrust, z.object({ folders: z.array(TrustedFolder) })]),
    errors: ["invalid", ...git],
  },
  putTrust: {
    method: "PUT",
    path: "/v1/trust",
    summary:
      "Trusts a folder with the present content of what it would run, or remembers `later`. With `digest`, 409 `conflict` if that content has changed. Set-up scripts of lanes that waited for it start.",
    body: PutTrust,
    status: 200,
    response: FolderTrust,
    errors: ["invalid", "conflict", ...git],
    client: "trust.put(body)",
  },
  deleteTrust: {
    method: "DELETE",
    path: "/v1/trust",
    summary: "Revokes the trust in a folder. Takes effect at once. Programs that already run continue.",
    query: z.strictObject({ path: z.string().min(1).max(4096) }),
    status: 200,
    response: z.object({ path: z.string(), revoked: z.boolean() }),
    errors: ["invalid"],
    client: "trust.revoke(path)",
  },
} as const satisfies Record<string, Route>;
