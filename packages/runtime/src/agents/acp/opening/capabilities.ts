import { compact, type Fields, fields } from "../../fields.ts";
import type { State } from "../state.ts";
import { readServerKinds } from "./servers.ts";

/**
 * The agent's capabilities from its `initialize` response, in either version. Version 2 requires agents with sessions
 * to list, resume and close them.
 */
export function readCapabilities(result: Fields): State["can"] {
  const first = fields(result.agentCapabilities);
  const more = fields(first.sessionCapabilities);
  const second = fields(fields(result.capabilities).session);
  const sessions = has(fields(result.capabilities).session);
  return compact({
    image: has(fields(first.promptCapabilities).image) ?? has(fields(second.prompt).image),
    load: has(first.loadSession),
    list: has(more.list) ?? sessions,
    resume: has(more.resume) ?? sessions,
    close: has(more.close) ?? sessions,
    fork: has(more.fork) ?? has(second.fork),
    folders: has(more.additionalDirectories) ?? has(second.additionalDirectories),
    servers: readServerKinds(result),
  });
}

function has(value: unknown): true | undefined {
  return (value !== undefined && value !== null && value !== false) || undefined;
}
