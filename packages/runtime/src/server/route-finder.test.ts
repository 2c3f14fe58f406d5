import type { RouteName } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import fc from "fast-check";
import { expect, it } from "vitest";
import { findRoute } from "./route-finder.ts";

const names = Object.keys(routes) as RouteName[];

it("finds every row of the table by a path that it makes, with what stands in its places", () => {
  const value = fc.string({ minLength: 1, maxLength: 20, unit: "binary" }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(value, { minLength: 3, maxLength: 3 }), (name, values) => {
      const { method, path } = routes[name];
      const params: Record<string, string> = {};
      const made = path.replace(/:(\w+)/g, (_, key: string) => {
        params[key] = `x${values[Object.keys(params).length]}`;
        return encodeURIComponent(params[key]);
      });
      expect(findRoute(method, made)).toEqual({ name, params });
    }),
  );
});

it("takes the row that comes first where two fit", () => {
  expect(findRoute("GET", "/v1/lanes/suggestions")).toEqual({ name: "laneSuggestions", params: {} });
  expect(findRoute("DELETE", "/v1/lanes/suggestions")).toMatchObject({ params: { id: "suggestions" } });
});

it("distinguishes an unknown path from one with other methods", () => {
  expect(findRoute("DELETE", "/v1/health")).toBe("other_method");
  expect(findRoute("HEAD", "/v1/health")).toEqual({ name: "health", params: {} });
  for (const path of ["/v1/health/", "/v1", "/", "/v1/sessions/", "//v1/health", "/v1/sessions//events"]) {
    expect(findRoute("GET", path)).toBeUndefined();
  }
});

it("never throws, whatever the path", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (method, path) => void findRoute(method, `/v1/sessions/${path}`)));
  expect(findRoute("GET", "/v1/sessions/%zz")).toEqual({ name: "getSession", params: { id: "%zz" } });
});
