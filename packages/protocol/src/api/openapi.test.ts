import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorTable } from "../errors/codes.ts";
import { eventTypes } from "../events/table.ts";
import type { Route } from "../routing/route.ts";
import { generatedFiles } from "./generated-files.ts";
import { eventSchemas, openApiDocument } from "./openapi.ts";
import { pathParams } from "./params.ts";
import { routes } from "./routes.ts";

type Json = Record<string, unknown>;
const document = openApiDocument("1") as { paths: Record<string, Record<string, Json>>; components: { schemas: Json } };

describe("the committed documents", () => {
  for (const { path, text } of generatedFiles()) {
    it(`${path} matches the tables; if not, run \`npm run generate\` and review the difference`, () => {
      expect(readFileSync(join(import.meta.dirname, "../..", path), "utf8")).toBe(text);
    });
  }
});

describe("the OpenAPI document", () => {
  it("has every route under its own name, with its parameters", () => {
    for (const [name, route] of Object.entries(routes) as [string, Route][]) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      const parameters = ((operation?.parameters ?? []) as { name: string; in: string }[]).map(
        (p) => `${p.in} ${p.name}`,
      );
      const query = Object.keys(route.query?.shape ?? {}).map((key) => `query ${key}`);
      expect(parameters).toEqual([...pathParams(route.path).map((param) => `path ${param.name}`), ...query]);
      expect(operation?.requestBody !== undefined).toBe(route.body !== undefined || route.upload === true);
      expect(operation?.security === undefined).toBe(!route.open);
    }
  });

  it("asks for what a query must have and for nothing else", () => {
    const search = document.paths["/v1/search"]?.get?.parameters as { name: string; required: boolean }[];
    expect(search.filter((parameter) => parameter.required).map((parameter) => parameter.name)).toEqual(["q"]);
  });

  it("refers to nothing that it does not have", () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references))
      expect(Object.keys(document.components.schemas)).toContain(reference.replace("components/schemas/", ""));
  });

  it("names only statuses that the API has", () => {
    const statuses = new Set(
      Object.values(document.paths)
        .flatMap((path) => Object.values(path))
        .flatMap((operation) => Object.keys(operation.responses as Json)),
    );
    const known = [200, 201, 202, 400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 503].map(String);
    expect([...statuses].filter((status) => !known.includes(status))).toEqual([]);
    expect([...new Set(Object.values(errorTable))].filter((status) => !known.includes(String(status)))).toEqual([]);
  });
});

it("describes every event type", () => {
  const text = JSON.stringify(eventSchemas());
  for (const type of eventTypes) expect(text).toContain(`"const":"${type}"`);
});

it("resolves the parameters of a path and rejects an unknown resource", () => {
  expect(pathParams("/v1/sessions/:id/messages/:mid").map(({ name, missing }) => [name, missing])).toEqual([
    ["id", "no_such_session"],
    ["mid", "no_such_message"],
  ]);
  expect(() => pathParams("/v1/things/:id")).toThrow("unknown resource");
});
