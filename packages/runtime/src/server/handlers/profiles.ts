import type { AvailableAgent, ProfileRow } from "@gantry/protocol";
import type { Handlers } from "../handler.ts";

/** Local profiles as files. */
export interface ProfileService {
  list(): ProfileRow[];
  available(): { copied: string; agents: AvailableAgent[] };
  /** Throws `invalid` for a text with mistakes; then nothing has changed. */
  put(id: string, text: string): ProfileRow;
  /** Throws `no_such_profile`. */
  delete(id: string): void;
}

export function profileHandlers(
  profiles: ProfileService,
): Pick<Handlers, "listProfiles" | "listAvailable" | "putProfile" | "deleteProfile"> {
  return {
    listProfiles: () => ({ json: { profiles: profiles.list() } }),
    listAvailable: () => ({ json: profiles.available() }),
    putProfile: ({ params, body }) => ({ json: profiles.put(params.id, body.text) }),
    deleteProfile: ({ params }) => {
      profiles.delete(params.id);
      return { json: { deleted: true } };
    },
  };
}
