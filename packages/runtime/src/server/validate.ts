import { GantryError, issuesOf, type Route, type RouteName } from "@gantry/protocol";
import { pathParams, routes } from "@gantry/protocol/routes";
import { z } from "zod";

/** The parameters of a path, decoded. A name that can belong to nothing is answered like one that belongs to nothing. */
export function checkParams(name: RouteName, given: Record<string, string>): Record<string, string> {
  const route: Route = routes[name];
  for (const { name: param, schema, missing } of pathParams(route.path)) {
    const parsed = schema.safeParse(given[param]);
    if (parsed.success) continue;
    // What is put there need not exist, but it needs a name that it can have.
    if (route.method === "PUT")
      throw invalidRequestError(parsed.error.issues.map(({ message }) => ({ path: param, message })));
    throw new GantryError(missing, `There is no such ${missing.slice("no_such_".length)}.`);
  }
  return given;
}

/** The query as the route knows it. Throws `invalid` for keys that it does not know or that come twice. */
export function checkQuery(name: RouteName, search: URLSearchParams): unknown {
  const route: Route = routes[name];
  const values: Record<string, string> = {};
  for (const [key, value] of search) {
    if (Object.hasOwn(values, key)) throw invalidRequestError([{ path: key, message: "is given twice" }]);
    // An empty query field means the same as an absent one, except for a number: an empty one is a mistake.
    if (value !== "" || isNumber(route.query?.shape[key]))
      Object.defineProperty(values, key, { value, enumerable: true });
  }
  refuseNul(values);
  return check(route.query ?? z.strictObject({}), values);
}

function isNumber(schema: unknown): boolean {
  return schema instanceof z.ZodType && typeof schema.safeParse("1").data === "number";
}

/** The validated body. Throws `invalid`, or `bad_json` if a required body is missing. */
export function checkBody(name: RouteName, body: unknown): unknown {
  const route: Route = routes[name];
  if (!route.allowsNul) refuseNul(body);
  if (body !== undefined) return check(route.body ?? z.strictObject({}), body);
  if (!route.body) return undefined;
  // An absent optional body counts as an empty one, so that its defaults apply.
  if (route.bodyOptional) return check(route.body, {});
  throw new GantryError("bad_json", "This call needs a JSON body.", {
    remedy: "Send one with Content-Type: application/json.",
  });
}

/**
 * Throws `invalid` for a NUL in any string or key: arguments, paths and variables would end at it. Iterative, so that deep
 * nesting does not overflow the stack.
 */
function refuseNul(root: unknown): void {
  const pending: [path: string, value: unknown][] = [["", root]];
  for (const [path, value] of pending) {
    if (typeof value === "string" && value.includes("\0"))
      throw invalidRequestError([{ path, message: "must not contain NUL characters" }]);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      pending.push([path, key], [path === "" ? key : `${path}.${key}`, item]);
    }
  }
}

function check(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequestError(
    issuesOf(parsed.error)
      .slice(0, 20)
      .map(({ path, message }) => ({ path: path.join("."), message })),
  );
}

function invalidRequestError(details: { path: string; message: string }[]): GantryError {
  const sentences = details.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return new GantryError("invalid", `The request is not valid: ${sentences.join("; ")}.`, { details });
}
