import { relative } from "node:path";
import type { ProjectServers } from "./servers-of-project.ts";
import { showDiagnostics } from "./show.ts";

const WAIT_MS = 3000;
const MOST = 20;

/**
 * For tools that write files: the mistakes that servers find in one afterwards, as text, or nothing. Never rejects.
 * Servers that do not run yet are started, but the first write does not wait for more than three seconds.
 */
export function afterWrite(servers: ProjectServers, cwd: string): (path: string) => Promise<string | undefined> {
  return async (path) => {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS, undefined).unref());
    const reports = await Promise.race([servers.diagnostics(path, WAIT_MS).catch(() => undefined), late]);
    const lines = (reports ?? []).flatMap(({ server, found }) =>
      showDiagnostics(
        relative(cwd, path),
        found.filter(({ severity }) => (severity ?? 1) <= 2),
        server,
      ),
    );
    if (lines.length === 0) return undefined;
    const more = lines.length > MOST ? [`… and ${lines.length - MOST} more`] : [];
    return ["Diagnostics:", ...lines.slice(0, MOST), ...more].join("\n");
  };
}
