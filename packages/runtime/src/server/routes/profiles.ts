import type { Handlers } from "../handler.ts";
import type { ProfileService } from "../ports.ts";

export function profileRoutes(
  profiles: ProfileService,
): Pick<Handlers, "listProfiles" | "putProfile" | "deleteProfile"> {
  return {
    listProfiles: () => ({ json: { profiles: profiles.list() } }),
    putProfile: ({ params, body }) => ({ json: profiles.put(params.id, body.text) }),
    deleteProfile: ({ params }) => {
      profiles.delete(params.id);
      return { json: { deleted: true } };
    },
  };
}
