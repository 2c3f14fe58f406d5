import type { McpServer } from "@gantry/protocol";

/** The name of the coordinator in the kit of an agent. */
export const KIT_SERVER = "gantry";

/**
 * The coordinator as a server of a session's kit. Its command has no secret: the process takes the session's token from its
 * environment, or from that of the agent that started it, and refuses to run with any other credential.
 */
export function coordinatorServer(shim: string, session: string): McpServer {
  return { name: KIT_SERVER, command: [shim, "mcp", "--session", session], enabled: true };
}

/** Instructions for agents that have the coordinator, if the settings enable hints. */
export const KIT_HINT =
  "You also have the tools of the MCP server `gantry` for this: start_session, send_message, wait_for_session, read_session, list_lanes and compare_lanes do the same as the commands, with structured results. Prefer them where they are offered to you.";
