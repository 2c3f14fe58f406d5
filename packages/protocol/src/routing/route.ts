import type { z } from "zod";
import type { ErrorCode } from "../errors/codes.ts";

/**
 * One call of the API. Server, client, OpenAPI document and docs are made from this table.
 * `stream` says that `Accept: text/event-stream` gets the same as server-sent events.
 */
export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** May the body be left out? */
  bodyOptional?: boolean;
  status: number;
  response: z.ZodType;
  errors: readonly ErrorCode[];
  stream?: boolean;
  /** The answer is a file's own bytes and not JSON. */
  bytes?: boolean;
  /** The body is a file's own bytes and not JSON; the handler reads it by itself. */
  upload?: boolean;
  open?: boolean;
};
