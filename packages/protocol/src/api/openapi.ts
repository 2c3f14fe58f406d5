import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { AgentRow } from "../agents/schema.ts";
import { Attachment, BlobRef } from "../content/schema.ts";
import { type ErrorCode, errorTable } from "../errors/codes.ts";
import { ApiError } from "../errors/schema.ts";
import { EnvelopeSchema } from "../events/envelope-schema.ts";
import { Gap, LiveFrame, Snapshot } from "../events/live.ts";
import { Failure } from "../failures/schema.ts";
import { FileChange } from "../files/schema.ts";
import { Grant, InputRequest } from "../inputs/schema.ts";
import { Lane } from "../lanes/schema.ts";
import { Preview } from "../previews/schema.ts";
import type { Route } from "../routing/route.ts";
import { SearchHit } from "../search/schema.ts";
import { Applied, Item, Session } from "../sessions/schema.ts";
import { Terminal } from "../terminals/schema.ts";
import { Usage, UsageRow } from "../usage/schema.ts";
import { pathParams } from "./params.ts";
import { type RouteName, routes } from "./routes.ts";

type Json = Record<string, unknown>;

/** Schemas with a name in the documents. All others are inlined. */
const named = {
  AgentRow,
  ApiError,
  Applied,
  Attachment,
  BlobRef,
  Event: EnvelopeSchema,
  Failure,
  FileChange,
  Gap,
  Grant,
  InputRequest,
  Item,
  Lane,
  LiveFrame,
  Offer,
  Preview,
  SearchHit,
  Session,
  Snapshot,
  Terminal,
  Usage,
  UsageRow,
};

/** The API as an OpenAPI 3.1 document, generated from the route table. */
export function openApiDocument(version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name];
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, components) };
  }
  inline(LiveFrame, components);
  inline(Snapshot, components);
  inline(Gap, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Gantry",
      version,
      description: "Coding agents behind durable sessions. Loopback only, with a token.",
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The owner token, a page credential or a session's token.",
        },
      },
    },
  };
}

/** Every durable event and live frame as one JSON Schema document. */
export function eventSchemas(): Json {
  const definitions: Json = {};
  for (const schema of [EnvelopeSchema, LiveFrame, Snapshot, Gap]) inline(schema, definitions, { prefix: "#/$defs/" });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Gantry events",
    anyOf: ["Event", "LiveFrame", "Snapshot", "Gap"].map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function operation(name: RouteName, route: Route, components: Json): Json {
  const answers = route.bytes
    ? { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
    : { "application/json": { schema: inline(route.response, components) } };
  const stream = { "text/event-stream": { schema: { type: "string" } } };
  return {
    operationId: name,
    summary: route.summary,
    ...(route.open ? { security: [] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route, components)],
    ...requestBody(route, components),
    responses: {
      [route.status]: { description: "Done.", content: route.stream ? { ...answers, ...stream } : answers },
      ...errorResponses(route, components),
    },
  };
}

function requestBody(route: Route, components: Json): Json {
  const bytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  if (route.upload) return { requestBody: { required: true, content: bytes } };
  if (!route.body) return {};
  const content = { "application/json": { schema: inline(route.body, components) } };
  return { requestBody: { required: !route.bodyOptional, content } };
}

function pathParameters(route: Route): Json[] {
  return pathParams(route.path).map(({ name, schema }) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema);
    return { name, in: "path", required: true, schema: rest };
  });
}

function queryParameters(route: Route, components: Json): Json[] {
  return Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: !z.safeParse(schema, undefined).success,
    schema: inline(schema as z.ZodType, components, { io: "output" }),
  }));
}

/** One entry per status, with its possible error codes. */
function errorResponses(route: Route, components: Json): Json {
  const codes = new Set<ErrorCode>([...route.errors, "foreign_host", "foreign_origin", "internal", "unavailable"]);
  if (!route.open) codes.add("unauthorized");
  if (route.query) codes.add("invalid");
  if (route.body)
    for (const code of ["bad_json", "unsupported_media", "too_large", "invalid"] as const) codes.add(code);
  const schema = inline(ApiError, components);
  const byStatus = Object.groupBy([...codes].sort(), (code) => String(errorTable[code]));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      { description: (group ?? []).join(", "), content: { "application/json": { schema } } },
    ]),
  );
}

/**
 * A schema as JSON Schema. Named schemas go to `components` and are referenced. Objects are described as input: fields with
 * a default are optional, and unknown fields are allowed, so that a newer daemon can add some.
 */
function inline(
  schema: z.ZodType,
  components: Json,
  { io = "input", prefix = "#/components/schemas/" }: { io?: "input" | "output"; prefix?: string } = {},
): Json {
  const registry = z.registry<{ id?: string }>();
  for (const [id, known] of Object.entries(named)) registry.add(known, { id });
  const options = { io, metadata: registry, unrepresentable: "any", override: dropRedundant } as const;
  const { $schema: _, $defs, ...made } = z.toJSONSchema(schema, options) as Json;
  const moveReferences = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"${prefix}`));
  for (const [id, definition] of Object.entries(($defs ?? {}) as Json))
    components[id] ??= withoutId(moveReferences(definition));
  const self = Object.entries(named).find(([, known]) => known === schema)?.[0];
  if (!self) return moveReferences(made) as Json;
  components[self] ??= withoutId(moveReferences(made));
  return { $ref: `${prefix}${self}` };
}

/** Removes redundant keywords: the pattern of a format, and the range of safe integers. */
function dropRedundant({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function withoutId(definition: unknown): unknown {
  const { id: _, ...rest } = definition as Json;
  return rest;
}
