import type { Kit } from "@gantry/protocol";
import { type LaunchPart, serverEntry, serversFile } from "../kit/launch-parts.ts";

/** Servers for one process, beside the user's own; of each all tools. */
export function serversPart(kit: Kit | undefined, dir: string): LaunchPart | undefined {
  return serversFile(
    kit,
    dir,
    (path) => ({ args: ["--additional-mcp-config", `@${path}`] }),
    (server) => ({ ...serverEntry(server), tools: ["*"] }),
  );
}
