import type { Handlers } from "../handler.ts";
import type { KitService } from "../ports.ts";

type KitRoutes = Pick<
  Handlers,
  "listMcpServers" | "putMcpServer" | "deleteMcpServer" | "listSkills" | "putSkill" | "deleteSkill"
>;

export function kitRoutes(kit: KitService): KitRoutes {
  return {
    listMcpServers: () => ({ json: kit.servers() }),
    putMcpServer: ({ params, body }) => ({ json: kit.putServer(params.name, body) }),
    deleteMcpServer: ({ params }) => {
      kit.deleteServer(params.name);
      return { json: { deleted: true } };
    },
    listSkills: () => ({ json: kit.skills() }),
    putSkill: ({ params, body }) => ({ json: kit.putSkill(params.name, body.path) }),
    deleteSkill: ({ params }) => {
      kit.deleteSkill(params.name);
      return { json: { deleted: true } };
    },
  };
}
