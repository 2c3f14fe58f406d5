import type { RouteBodyInput, RouteName, RouteResult } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about what all agents are given, MCP servers and skills, and about agents of the user's own. They throw `GantryError`. */
export function kitCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    servers: {
      list: () => make("listMcpServers", {}),
      put: (name: string, body: RouteBodyInput<"putMcpServer">) => make("putMcpServer", { params: { name }, body }),
      delete: (name: string) => make("deleteMcpServer", { params: { name } }),
    },
    skills: {
      list: () => make("listSkills", {}),
      /** Links the folder at this absolute path, which holds a `SKILL.md` of this name. */
      put: (name: string, path: string) => make("putSkill", { params: { name }, body: { path } }),
      delete: (name: string) => make("deleteSkill", { params: { name } }),
    },
    profiles: {
      list: async () => (await make("listProfiles", {})).profiles,
      /** Throws `invalid` for a text with mistakes, with their lines as `details`. */
      put: (id: string, text: string) => make("putProfile", { params: { id }, body: { text } }),
      delete: (id: string) => make("deleteProfile", { params: { id } }),
    },
  };
}
