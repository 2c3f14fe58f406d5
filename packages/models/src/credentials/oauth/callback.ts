import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the provider reports when it redirects the browser back. */
export type CallbackResult = { code: string; iss?: string } | { denied: string };
export type Callback = {
  redirectUri: string;
  /** Resolves with the first request that carries the right state. Never rejects. */
  result: Promise<CallbackResult>;
  close(): void;
};

const PAGE = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>Gantry</title><p style="font:16px sans-serif;margin:4em">${text}</p>`;

/**
 * Listens on loopback for the provider's redirect. A request without the right state is rejected and changes nothing, so
 * no other page can end or hijack a login. Only the first valid request counts. Rejects if the port is not available.
 */
export async function listenForCallback(options: { port: number; path: string; state: string }): Promise<Callback> {
  const { promise: result, resolve } = Promise.withResolvers<CallbackResult>();
  let used = false;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const outcome = used ? undefined : readCallback(request, options);
    const text = outcome
      ? "code" in outcome
        ? "You are logged in. You can close this page."
        : "The login was denied. You can close this page."
      : "This request does not belong to a login in progress.";
    const headers = { "Content-Type": "text/html; charset=utf-8", Connection: "close", "Cache-Control": "no-store" };
    response.writeHead(outcome ? 200 : 400, headers).end(PAGE(text));
    if (!outcome) return;
    used = true;
    resolve(outcome);
  };
  const first = await listen(createServer(answer), options.port, "127.0.0.1");
  const { port } = first.address() as AddressInfo;
  // Browsers may resolve localhost to ::1. A machine without IPv6 does not need this listener.
  const second = await listen(createServer(answer), port, "::1").catch(() => undefined);
  const close = () => {
    for (const server of [first, second]) {
      server?.close();
      server?.closeAllConnections();
    }
  };
  return { redirectUri: `http://localhost:${port}${options.path}`, result, close };
}

function readCallback(
  request: IncomingMessage,
  { path, state }: { path: string; state: string },
): CallbackResult | undefined {
  const url = URL.parse(request.url ?? "", "http://localhost");
  if (
    request.method !== "GET" ||
    url?.pathname !== path ||
    !equalInConstantTime(url.searchParams.get("state") ?? "", state)
  )
    return undefined;
  const [code, error] = [url.searchParams.get("code"), url.searchParams.get("error")];
  if (error) return { denied: url.searchParams.get("error_description") || error };
  const iss = url.searchParams.get("iss");
  return code ? { code, ...(iss ? { iss } : {}) } : undefined;
}

export function equalInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
