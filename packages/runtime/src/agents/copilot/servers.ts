import type { Kit } from "@gantry/protocol";
import { type LaunchPart, serverEntry, serversFile } from "../kit/launch-parts.ts";

/** MCP servers for one process, in addition to the user's, with all their tools. */
export function serversPart(kit: Kit | undefined, dir: string): LaunchPart | undefined {
  return serversFile(
    kit,
    dir,
    (path) => ({ args: ["--additional-mcp-config", `@${path}`] }),
    (server) => ({ ...serverEntry(server), tools: ["*"] }),
  );
}
