import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AvailableAgent, ProfileRow } from "./schema.ts";

/** User-defined agents: the files of `GANTRY_HOME/agents`. */
export const profileRoutes = {
  listProfiles: {
    method: "GET",
    path: "/v1/profiles",
    summary: "Lists local profiles with their files and problems.",
    status: 200,
    response: z.object({ profiles: z.array(ProfileRow) }),
    errors: [],
    client: "profiles.list() > profiles",
  },
  listAvailable: {
    method: "GET",
    path: "/v1/profiles/available",
    summary:
      "Lists the agents of the public ACP registry, as of the day it was copied, each with the text of a profile.",
    status: 200,
    response: z.object({ copied: z.iso.date(), agents: z.array(AvailableAgent) }),
    errors: [],
    client: "profiles.available()",
  },
  putProfile: {
    method: "PUT",
    path: "/v1/profiles/:id",
    summary:
      "Creates or replaces a profile. An invalid one is refused with the lines in `details`, and nothing changes.",
    body: z.strictObject({ text: z.string().max(100_000) }),
    status: 200,
    response: ProfileRow,
    errors: ["invalid"],
    client: "profiles.put(id, text)",
  },
  deleteProfile: {
    method: "DELETE",
    path: "/v1/profiles/:id",
    summary: "Deletes a profile and its installed package; its sessions stay.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: ["no_such_profile"],
    client: "profiles.delete(id)",
  },
} as const satisfies Record<string, Route>;
