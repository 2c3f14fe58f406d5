import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Coordinator } from "./coordinator.ts";
import { createCoordinatorServer } from "./server.ts";

/** A longer message ends the connection. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

export type StdioOptions = {
  /** Writes a line about a problem of the connection. stdout belongs to the protocol. */
  report(line: string): void;
};

/** Serves the coordinator on stdin and stdout until the client closes stdin. */
export async function serveCoordinatorOnStdio(coordinator: Coordinator, { report }: StdioOptions): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const leave = new AbortController();
  const servers = new Set<McpServer>();
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const create = () => {
    const server = createCoordinatorServer(coordinator);
    servers.add(server);
    return server;
  };
  const handle = serveStdio(create, { transport, onerror: (error) => report(error.message) });
  process.stdin.once("close", () => ended.resolve());
  process.stdin.once("end", () => ended.resolve());
  void watchGrant(coordinator, leave.signal, () => {
    for (const server of servers) server.sendToolListChanged();
  });
  await ended.promise;
  leave.abort();
  await handle.close();
}

/** Calls `onChange` when a person gives the session the grant of a lead or revokes it. Ends with the session's token. */
async function watchGrant({ client, caller }: Coordinator, signal: AbortSignal, onChange: () => void): Promise<void> {
  if (caller.kind !== "session") return;
  try {
    const { lastSeq } = await client.sessions.get(caller.id);
    for await (const frame of client.follow(caller.id, { after: lastSeq, signal })) {
      if (!("event" in frame) || frame.event.type !== "session.updated") continue;
      if (frame.event.data.patch.lead !== undefined) onChange();
    }
  } catch {
    // The token is revoked, or the daemon cannot be reached: calls report it, and the list is read again with each request.
  }
}
