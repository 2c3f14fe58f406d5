import {
  calls,
  GantryError,
  type RouteBodyInput,
  type RouteName,
  type RouteParams,
  type RouteQuery,
  type RouteResult,
} from "@gantry/protocol";
import type { Transport } from "./transport.ts";

type Part<Name extends string, T> = keyof T extends never
  ? unknown
  : Partial<T> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };
type Body<T> = [T] extends [undefined] ? unknown : undefined extends T ? { body?: T } : { body: T };

/** The input of a call, derived from the route table: only the parts that the route has. */
export type CallInput<K extends RouteName> = Part<"params", RouteParams<K>> &
  Part<"query", RouteQuery<K>> &
  Body<RouteBodyInput<K>> & { signal?: AbortSignal };

/** A call without input takes no argument. */
export type CallRoute = <K extends RouteName>(
  name: K,
  ...input: Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>]
) => Promise<RouteResult<K>>;

type Given = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown; signal?: AbortSignal };

/** Makes one call of the route table. Throws `GantryError`. */
export async function call<K extends RouteName>(
  transport: Transport,
  name: K,
  input: CallInput<K>,
): Promise<RouteResult<K>> {
  const given = input as Given;
  const { method, path } = calls[name];
  const headers: Record<string, string> = { accept: "application/json" };
  if (given.body !== undefined) headers["content-type"] = "application/json";
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  const response = await transport.request(pathOf(path, given), {
    method,
    headers,
    body,
    signal: given.signal,
  });
  try {
    return (await response.json()) as RouteResult<K>;
  } catch (error) {
    if (given.signal?.aborted) throw error;
    throw new GantryError("unavailable", "The daemon's answer was incomplete.", { remedy: "Try again." });
  }
}

/** The path with its parameters and query filled in. */
export function pathOf(path: string, { params = {}, query = {} }: Pick<Given, "params" | "query">): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
