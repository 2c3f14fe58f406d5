/** The part of a value at `a/0/b`, `a.b[0]` or `$.a[0]`; `undefined` if there is none. */
export function atJsonPath(value: unknown, path: string): unknown {
  const steps = path
    .replace(/^\$/, "")
    .replace(/\[["']?([^\]"']*)["']?\]/g, "/$1")
    .split(path.includes("/") ? "/" : /[./]/)
    .filter((step) => step !== "");
  let at = value;
  for (const step of steps) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}
