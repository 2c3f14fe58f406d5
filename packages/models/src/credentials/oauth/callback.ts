import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the browser brought back. */
export type Brought = { code: string; iss?: string } | { denied: string };
export type Callback = {
  redirectUri: string;
  /** Resolves with the first request that has the right state, and never rejects. */
  brought: Promise<Brought>;
  close(): void;
};

const PAGE = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>Gantry</title><p style="font:16px sans-serif;margin:4em">${text}</p>`;

/**
 * Waits on this machine for the provider to send the browser back. A request without the right state is refused and
 * changes nothing, so that no other page can end or steer a login; the first with it is taken, and no other after it.
 * Rejects only if the port cannot be had.
 */
export async function listenForCallback(options: { port: number; path: string; state: string }): Promise<Callback> {
  const { promise: brought, resolve } = Promise.withResolvers<Brought>();
  let used = false;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const result = used ? undefined : judge(request, options);
    const text = result
      ? "code" in result
        ? "You are logged in. This page can be closed."
        : "The login was refused. This page can be closed."
      : "This is not the answer to a login that is under way.";
    const headers = { "Content-Type": "text/html; charset=utf-8", Connection: "close", "Cache-Control": "no-store" };
    response.writeHead(result ? 200 : 400, headers).end(PAGE(text));
    if (!result) return;
    used = true;
    resolve(result);
  };
  const first = await listen(createServer(answer), options.port, "127.0.0.1");
  const { port } = first.address() as AddressInfo;
  // Browsers may take localhost for ::1; where there is none, nothing is lost.
  const second = await listen(createServer(answer), port, "::1").catch(() => undefined);
  const close = () => {
    for (const server of [first, second]) {
      server?.close();
      server?.closeAllConnections();
    }
  };
  return { redirectUri: `http://localhost:${port}${options.path}`, brought, close };
}

function judge(request: IncomingMessage, { path, state }: { path: string; state: string }): Brought | undefined {
  const url = URL.parse(request.url ?? "", "http://localhost");
  if (request.method !== "GET" || url?.pathname !== path || !same(url.searchParams.get("state") ?? "", state))
    return undefined;
  const [code, error] = [url.searchParams.get("code"), url.searchParams.get("error")];
  if (error) return { denied: url.searchParams.get("error_description") || error };
  const iss = url.searchParams.get("iss");
  return code ? { code, ...(iss ? { iss } : {}) } : undefined;
}

export function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
