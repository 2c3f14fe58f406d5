/** The session that the page was opened at, if it was. */
export const openedSession: string | undefined = /^\/s\/(ses_\w+)$/.exec(location.pathname)?.[1];

/** Answers that `public/first.js` asked for while the program was on its way, by path. Each is taken once. */
const early = (globalThis as { gantryEarly?: Map<string, Promise<Response>> }).gantryEarly;

/** Like the browser's own; what has been asked for already is not asked for again. */
export const earlyFetch: typeof globalThis.fetch = (input, init) => {
  const { pathname, search } = new URL(String(input), location.origin);
  const asked = isPlain(init) ? early?.get(pathname + search) : undefined;
  if (!asked) return fetch(input, init);
  early?.delete(pathname + search);
  return asked;
};

function isPlain(init: RequestInit | undefined): boolean {
  const accept = (init?.headers as Record<string, string> | undefined)?.accept;
  return (init?.method ?? "GET") === "GET" && accept === "application/json";
}
