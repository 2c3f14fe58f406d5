import type { SpawnService } from "../../spawns/port.ts";
import type { Handlers } from "../handler.ts";

export function spawnRoutes(spawns: SpawnService): Pick<Handlers, "hearSession"> {
  return {
    hearSession: ({ params, body }) => ({ json: { heard: spawns.heard(params.id, body.turn) } }),
  };
}
