import type { McpServerList, McpServerRow, McpServerSettings, SkillList, SkillRow } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Servers and skills for agents. Changes are durable when a call returns. Methods throw `GantryError`. */
export interface KitService {
  servers(): McpServerList;
  putServer(name: string, settings: McpServerSettings): McpServerRow;
  deleteServer(name: string): void;
  skills(): SkillList;
  putSkill(name: string, path: string): SkillRow;
  deleteSkill(name: string): void;
}

type KitHandlers = Pick<
  Handlers,
  "listMcpServers" | "putMcpServer" | "deleteMcpServer" | "listSkills" | "putSkill" | "deleteSkill"
>;

export function kitHandlers(kit: KitService): KitHandlers {
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
