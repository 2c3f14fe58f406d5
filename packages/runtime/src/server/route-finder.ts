import { calls, type RouteName } from "@gantry/protocol";

type Row = { name: RouteName; method: string; segments: readonly string[] };

export type Found = { name: RouteName; params: Record<string, string> };

/**
 * The row of the route table that a request means, the first in the table's order; `"other_method"` for a path that the
 * table has with other methods alone. `HEAD` is answered like `GET`. Pure.
 */
export function findRoute(method: string, pathname: string): Found | "other_method" | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  const given = pathname.split("/").map(decodeSegment);
  const fitting = (byLength.get(given.length) ?? []).filter(({ segments }) => matchesSegments(segments, given));
  const row = fitting.find((candidate) => candidate.method === wanted);
  if (row) return { name: row.name, params: paramsOf(row.segments, given) };
  return fitting.length > 0 ? "other_method" : undefined;
}

const byLength = Map.groupBy(
  Object.entries(calls).map(([name, { method, path }]) => ({ name, method, segments: path.split("/") }) as Row),
  ({ segments }) => segments.length,
);

function matchesSegments(segments: readonly string[], given: readonly string[]): boolean {
  return segments.every((segment, at) => (segment.startsWith(":") ? given[at] !== "" : given[at] === segment));
}

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> {
  const named = segments.flatMap((segment, at) =>
    segment.startsWith(":") ? [[segment.slice(1), given[at] ?? ""]] : [],
  );
  return Object.fromEntries(named);
}

/**
 * Does a request target lead to the API? It is read as the router reads it, with dot segments resolved and escapes
 * decoded, so that `/%761/sessions` and `/x/../v1/sessions` are what they will be answered as.
 */
export function isApiPath(target: string): boolean {
  const { pathname } = new URL(`http://gantry${target.startsWith("/") ? target : "/"}`);
  const first = pathname
    .split("/")
    .map(decodeSegment)
    .find((segment) => segment !== "");
  return first === "v1" || first === "mcp";
}

/** Invalid percent-encoding is returned unchanged; it matches no id. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
