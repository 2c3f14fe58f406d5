import { createClient } from "@gantry/client";
import { serveSocket } from "@gantry/gateway/acp";
import type { UpgradeRequest } from "../http.ts";

/**
 * Serves one editor on a WebSocket. The gateway calls the API with the editor's own credential, so it has the rights of that
 * credential and no others.
 */
export function serveEditor(
  { incoming, socket, head, outgoing, url }: UpgradeRequest,
  { version, report, signal }: { version: string; report(line: string): void; signal: AbortSignal },
): void {
  const token = /^Bearer +(\S+)$/i.exec(incoming.headers.authorization ?? "")?.[1];
  const client = createClient({ url, token });
  outgoing.detachSocket(incoming.socket);
  serveSocket(incoming, socket, head, { client, version, report: (line) => report(`acp: ${line}`), signal });
}
