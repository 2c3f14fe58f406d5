import type { Kit } from "@gantry/protocol";
import { commonEntry, type Part, serversFile } from "../kit/parts.ts";

/** Servers for one process, beside the user's own; of each all tools. */
export function serversPart(kit: Kit | undefined, dir: string): Part | undefined {
  return serversFile(
    kit,
    dir,
    (path) => ({ args: ["--additional-mcp-config", `@${path}`] }),
    (server) => ({ ...commonEntry(server), tools: ["*"] }),
  );
}
