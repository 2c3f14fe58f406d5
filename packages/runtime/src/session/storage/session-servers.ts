import type { McpServer, SessionServers } from "@gantry/protocol";
import { type RecordChange, SESSION_SERVERS, type Store } from "../../log/port.ts";

/** The MCP servers that only one session has, with their values. They are in no event. */
export function readSessionServers(store: Store, session: string): SessionServers {
  return store.records<SessionServers>(SESSION_SERVERS).get(session) ?? {};
}

/** Stores the servers together with the event that names them. */
export function serversRecord(session: string, servers: SessionServers): RecordChange {
  const isEmpty = Object.keys(servers).length === 0;
  return { kind: SESSION_SERVERS, id: session, ...(isEmpty ? {} : { value: servers }) };
}

/** The servers of all agents and those of the session, which replace others of the same name. */
export function withSessionServers(shared: readonly McpServer[], own: SessionServers): McpServer[] {
  const added = Object.entries(own).map(([name, server]) => ({ enabled: true, ...server, name }) as McpServer);
  return [...shared.filter(({ name }) => !Object.hasOwn(own, name)), ...added];
}

/** The values that may be secret, for redaction. */
export function secretsOfServers(servers: SessionServers): string[] {
  return Object.values(servers).flatMap((server) =>
    Object.values(("command" in server ? server.env : server.headers) ?? {}),
  );
}
