import type { z } from "zod";
import type { ParamNames } from "./params.ts";
import type { RouteName, routes } from "./routes.ts";

type Table = typeof routes;

type Optional<K extends RouteName> = Table[K] extends { bodyOptional: true } ? undefined : never;

/** The input and output types of a call, derived from the route table. Server and client share them. */
export type RouteParams<K extends RouteName> = Record<ParamNames<Table[K]["path"]>, string>;

export type RouteQuery<K extends RouteName> = Table[K] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : Record<never, never>;

/** The body as a caller writes it, before defaults apply. */
export type RouteBodyInput<K extends RouteName> = Table[K] extends { body: infer B extends z.ZodType }
  ? z.input<B> | Optional<K>
  : undefined;

/** The body after validation; an omitted optional body is an empty object. */
export type RouteBody<K extends RouteName> = Table[K] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;

export type RouteResult<K extends RouteName> = z.output<Table[K]["response"]>;
