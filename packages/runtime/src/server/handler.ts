import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouteBody, RouteName, RouteParams, RouteQuery, RouteResult } from "@gantry/protocol";
import type { Caller } from "./access/credentials.ts";

/** A call that has passed every check; what is in it has the shape that the route table says. */
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
 * `text` is JSON that is ready to be sent, `bytes` is something else with headers that say what; `streamed` means that
 * the handler writes to `outgoing` by itself.
 */
export type Reply<T> =
  | { json: T; status?: number; headers?: Record<string, string> }
  | { text: string }
  | { bytes: Uint8Array; headers: Record<string, string> }
  | "streamed";

export type AnyHandler = (call: Call<never>) => Reply<unknown> | Promise<Reply<unknown>>;

type Handler<K extends RouteName> = (call: Call<K>) => Reply<RouteResult<K>> | Promise<Reply<RouteResult<K>>>;

/** One handler for each row of the route table. They throw `GantryError` for what the caller did wrong. */
export type Handlers = { [K in RouteName]: Handler<K> };
