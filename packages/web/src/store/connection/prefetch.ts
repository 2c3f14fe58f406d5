/** The session that the page was loaded at, if any. */
export const openedSession: string | undefined = /^\/s\/(ses_\w+)$/.exec(location.pathname)?.[1];

/** Responses that `first.js` requested while the scripts were loading, by path. Each is used once. */
const prefetched = (globalThis as { gantryPrefetched?: Map<string, Promise<Response>> }).gantryPrefetched;

/** Like `fetch`, but uses a prefetched response if there is one. */
export const prefetchedFetch: typeof globalThis.fetch = (input, init) => {
  const { pathname, search } = new URL(String(input), location.origin);
  const response = isPlainGet(init) ? prefetched?.get(pathname + search) : undefined;
  if (!response) return fetch(input, init);
  prefetched?.delete(pathname + search);
  return response;
};

function isPlainGet(init: RequestInit | undefined): boolean {
  const accept = (init?.headers as Record<string, string> | undefined)?.accept;
  return (init?.method ?? "GET") === "GET" && accept === "application/json";
}
