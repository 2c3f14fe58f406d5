import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouteBody, RouteName, RouteParams, RouteQuery, RouteResult } from "@gantry/protocol";
import type { Caller } from "./access/credentials.ts";

/** A request that passed every check. Its parts are validated by the route table. */
export type Call<K extends RouteName> = {
  params: RouteParams<K>;
  query: RouteQuery<K>;
  body: RouteBody<K>;
  /** Only open calls come without. */
  caller: Caller | undefined;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
};

/**
 * `text` is serialised JSON; `bytes` is any other content, described by its headers; `streamed` means that
 * the handler writes to `outgoing`.
 */
export type Reply<T> =
  | { json: T; status?: number; headers?: Record<string, string> }
  | { text: string }
  | { bytes: Uint8Array; headers: Record<string, string> }
  | "streamed";

export type AnyHandler = (call: Call<never>) => Reply<unknown> | Promise<Reply<unknown>>;

type Handler<K extends RouteName> = (call: Call<K>) => Reply<RouteResult<K>> | Promise<Reply<RouteResult<K>>>;

/** One handler for each row of the route table. They throw `GantryError` for mistakes of the client. */
export type Handlers = { [K in RouteName]: Handler<K> };
