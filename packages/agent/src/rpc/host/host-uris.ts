import { SessionError } from "../../contract/session.ts";
import { ToolError, type UrlContent, type UrlHandler } from "../../contract/tool.ts";
import type { HostAnswer, HostSchemeDefinition } from "../wire/commands.ts";
import { createHostCalls } from "./host-calls.ts";

type Send = (frame: Record<string, unknown>) => void;

/** Schemes with a meaning in Gantry or in general; a host must not redefine them. */
const RESERVED = new Set([
  "agent",
  "artifact",
  "blob",
  "cfg",
  "data",
  "file",
  "ftp",
  "http",
  "https",
  "javascript",
  "local",
  "mcp",
  "memory",
  "rule",
  "skill",
  "ws",
  "wss",
]);

export interface HostUris {
  /** Creates the handlers, by lower-case scheme. Throws a `SessionError` for a reserved scheme. */
  define(definitions: readonly HostSchemeDefinition[]): Record<string, UrlHandler>;
  result(result: HostAnswer<"host_uri_result">): void;
  rejectAll(reason: string): void;
}

export function createHostUris(send: Send): HostUris {
  const calls = createHostCalls<HostAnswer<"host_uri_result">>(send, {
    request: "host_uri_request",
    cancel: "host_uri_cancel",
    prefix: "uri",
  });

  const handlerOf = ({ description, writable, immutable }: HostSchemeDefinition): UrlHandler => ({
    ...(description ? { description } : {}),
    async read(url, signal): Promise<UrlContent> {
      const result = await calls.call({ operation: "read", url }, signal);
      return {
        text: result.content ?? "",
        ...(result.contentType ? { contentType: contentTypeOf(result.contentType) } : {}),
        ...(result.notes ? { notes: result.notes } : {}),
        immutable: result.immutable ?? immutable ?? false,
      };
    },
    ...(writable
      ? {
          async write(url: string, content: string, signal: AbortSignal) {
            await calls.call({ operation: "write", url, content }, signal);
          },
        }
      : {}),
  });

  return {
    define(definitions) {
      const named = definitions.map((definition) => ({ ...definition, scheme: definition.scheme.toLowerCase() }));
      const reserved = named.find(({ scheme }) => RESERVED.has(scheme));
      if (reserved) throw new SessionError(`Host URI scheme is reserved: ${reserved.scheme}`);
      return Object.fromEntries(named.map((definition) => [definition.scheme, handlerOf(definition)]));
    },
    result(result) {
      const call = calls.find(result.id);
      if (!call) return;
      if (result.isError) call.reject(new ToolError(result.error || result.content || "The host refused the request."));
      else call.resolve(result);
    },
    rejectAll: (reason) => calls.rejectAll(reason),
  };
}

/** Types that Gantry does not know are text. Parameters such as a charset are ignored. */
function contentTypeOf(given: string): NonNullable<UrlContent["contentType"]> {
  const type = given.split(";")[0]?.trim().toLowerCase();
  return type === "text/markdown" || type === "application/json" ? type : "text/plain";
}
