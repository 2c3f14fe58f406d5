import type { z } from "zod";
import type { ErrorCode } from "../errors/codes.ts";

/**
 * One call of the API. Server, client, OpenAPI document and docs derive from it.
 * `stream`: `Accept: text/event-stream` returns server-sent events.
 */
/**
 * What a session's own token may do with a call. `any`: always, the call reveals nothing private. `family`: the path names
 * the caller's session or a descendant. `below`: a descendant. `lane`: the path names a lane of one of these. `checked`: a
 * separate handler decides. A call without a right is for people only.
 */
export type AgentRight = "any" | "family" | "below" | "lane" | "checked";

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is optional. */
  bodyOptional?: boolean;
  status: number;
  response: z.ZodType;
  errors: readonly ErrorCode[];
  stream?: boolean;
  /** The response is raw bytes, not JSON. */
  bytes?: boolean;
  /** The body is raw bytes, not JSON; the handler reads the request stream. */
  upload?: boolean;
  /** Strings of the body may contain NUL, as keyboard input does. Elsewhere they are refused: no path or argument has one. */
  allowsNul?: boolean;
  /** Callable without a credential. */
  open?: boolean;
  /** May a session's own token make this call? Absent: no. */
  agent?: AgentRight;
  /**
   * The client's method, such as `lanes.remove(id, force=false)`. Arguments are path parameters, `query`, `body`, `signal`,
   * or fields of query or body; `?` marks an optional one, `=false` and `=true` a 0/1 switch. `> field` returns one field
   * of the response. A call without it has a handwritten method in the client.
   */
  client?: string | readonly string[];
};
