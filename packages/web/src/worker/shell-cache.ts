import type { FetchEvent, WorkerScope } from "./scope.ts";

/** Replaced by the build. A new build has another cache, and its worker deletes the others. */
declare const GANTRY_BUILD: string;

const PREFIX = "gantry-shell-";
const NAME = PREFIX + GANTRY_BUILD;
const CALLS = /^\/(v1|mcp|acp)(\/|$)/;

/**
 * The files of the page, so that it opens without a connection. Nothing else is stored: no call of the API, no request with
 * a credential, no query. The document comes from the network first, so a new version of the daemon shows at once.
 */
export function serveShell(scope: WorkerScope): void {
  scope.addEventListener("install", (event) => {
    // Calls do not start the worker, in browsers that can leave it out.
    const bypass = { condition: { urlPattern: { pathname: "/v1/*" } }, source: "network" };
    event.waitUntil(Promise.all([scope.skipWaiting(), event.addRoutes?.([bypass]).catch(() => undefined)]));
  });
  scope.addEventListener("activate", (event) => event.waitUntil(takeOver(scope)));
  scope.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    const isForeign = origin !== location.origin || request.method !== "GET" || request.headers.has("authorization");
    if (isForeign || CALLS.test(pathname)) return;
    if (request.mode === "navigate") event.respondWith(fetchDocument(event));
    else if (pathname.startsWith("/assets/")) event.respondWith(fetchAsset(event));
  });
}

async function takeOver({ registration, clients }: WorkerScope): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)),
  );
  // The document is requested while the worker starts.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

/** One document serves all views. It is stored without its path and query. */
async function fetchDocument(event: FetchEvent): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    const isDocument = response.ok && response.headers.get("content-type")?.startsWith("text/html");
    if (isDocument) event.waitUntil(store("/", response.clone()));
    return response;
  } catch {
    return (await (await caches.open(NAME)).match("/")) ?? Response.error();
  }
}

/** The name of an asset has a hash of its content, so a stored one is never outdated. */
async function fetchAsset(event: FetchEvent): Promise<Response> {
  const stored = await (await caches.open(NAME)).match(event.request);
  if (stored) return stored;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(store(new URL(event.request.url).pathname, response.clone()));
  return response;
}

async function store(path: string, response: Response): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.put(path, response);
}
