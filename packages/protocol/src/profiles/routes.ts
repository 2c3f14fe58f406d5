import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ProfileRow } from "./schema.ts";

/** Agents of the user's own: the files of `GANTRY_HOME/agents`. */
export const profileRoutes = {
  listProfiles: {
    method: "GET",
    path: "/v1/profiles",
    summary: "Local profiles as their files are, with what is wrong with them.",
    status: 200,
    response: z.object({ profiles: z.array(ProfileRow) }),
    errors: [],
    client: "profiles.list() > profiles",
  },
  putProfile: {
    method: "PUT",
    path: "/v1/profiles/:id",
    summary:
      "Writes a profile, or replaces it. One with a mistake is refused with the lines in `details`, and nothing is changed.",
    body: z.strictObject({ text: z.string().max(100_000) }),
    status: 200,
    response: ProfileRow,
    errors: ["invalid"],
    client: "profiles.put(id, text)",
  },
  deleteProfile: {
    method: "DELETE",
    path: "/v1/profiles/:id",
    summary: "Removes a profile; its sessions are kept.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: ["no_such_profile"],
    client: "profiles.delete(id)",
  },
} as const satisfies Record<string, Route>;
