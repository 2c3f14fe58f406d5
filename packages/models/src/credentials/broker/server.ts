import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { equalInConstantTime } from "../oauth/callback.ts";
import { redact } from "../redaction.ts";
import type { CredentialData, CredentialRow, CredentialSource, LoginData } from "../stored-credential.ts";
import { PutBody, REMOTE, RefreshBody, ReportBody, type Shared, type Snapshot } from "./wire.ts";

const LARGEST_BODY = 64 * 1024;
const LONGEST_WAIT_MS = 25_000;
const LOOK_MS = 250;
/** Rate limit against guessing: after this many wrong tokens in a minute, further wrong tokens get status 429. */
const WRONG_A_MINUTE = 20;
/** Minimum time between two refreshes of the same login, whatever clients request. */
const REFRESH_APART_MS = 10_000;

type Reply = { status: number; body: unknown };
type Failure = { error: { code: string; message: string } };
export type Broker = { url: string; close(): Promise<void> };
export type BrokerOptions = { source: CredentialSource; token: string; port?: number; now?: () => number };

/**
 * Serves stored credentials over loopback to processes that present the token. Refresh tokens never leave the broker: it
 * refreshes logins on behalf of its clients. Rejects if the port is not available.
 */
export async function serveBroker({ source, token, port = 0, now = Date.now }: BrokerOptions): Promise<Broker> {
  const guard = makeGuard(token, now);
  const refresh = makeRefresh(source, now);
  const closing = new AbortController();
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const url = URL.parse(request.url ?? "", "http://localhost");
    if (!isLocal(request)) return failure(403, "forbidden", "The broker answers on this machine only.");
    if (request.method === "GET" && url?.pathname === "/v1/healthz") return { status: 200, body: { ok: true } };
    const refused = guard(request.headers.authorization);
    if (refused) return refused;
    if (request.method === "GET" && url?.pathname === "/v1/snapshot") return snapshotReply(source, url, closing.signal);
    if (request.method === "POST" && url?.pathname === "/v1/credential") return put(source, await bodyOf(request));
    const [, id = "", action] = /^\/v1\/credential\/(\d{1,15})\/(refresh|report)$/.exec(url?.pathname ?? "") ?? [];
    if (!action) return failure(404, "not_found", "Not found.");
    if (request.method !== "POST") return failure(405, "method", "Only POST is allowed here.");
    const row = source.rows().find((one) => one.id === Number(id));
    if (!row) return failure(404, "no_such_credential", "There is no such credential.");
    const body = await bodyOf(request);
    return action === "refresh" ? refresh(row, body) : report(source, row, body);
  };
  const server = createServer((request, response) => {
    answer(request)
      .catch(() => failure(500, "unexpected", "The broker failed to answer."))
      .then((reply) => send(response, reply));
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function makeGuard(token: string, now: () => number): (header: string | undefined) => Reply | undefined {
  let wrong: number[] = [];
  return (header) => {
    wrong = wrong.filter((time) => time > now() - 60_000);
    const right = equalInConstantTime(header ?? "", `Bearer ${token}`);
    if (right) return undefined;
    if (wrong.length >= WRONG_A_MINUTE) return failure(429, "too_many", "Too many wrong tokens. Wait a minute.");
    wrong.push(now());
    return failure(401, "unauthorized", "The broker token is missing or wrong.");
  };
}

/** Guards against DNS rebinding: browsers send an Origin, or a Host that is not a loopback name. */
function isLocal({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return origin === undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}

function makeRefresh(source: CredentialSource, now: () => number) {
  const last = new Map<number, { at: number; reply: Reply }>();
  return async (row: CredentialRow, body: unknown): Promise<Reply> => {
    const parsed = RefreshBody().safeParse(body);
    if (!parsed.success) return failure(400, "invalid", "The body must be {access}.");
    const data = await source.open(row);
    if (data?.type !== "oauth")
      return failure(409, "no_login", "This credential is not a login, or it cannot be read.");
    if (data.access !== parsed.data.access) return { status: 200, body: { ok: true, data: withoutRefresh(data) } };
    const recent = last.get(row.id);
    if (recent && recent.at > now() - REFRESH_APART_MS) return recent.reply;
    const result = await source.refresh(row, data);
    const publicResult = result.ok
      ? { ok: true, data: withoutRefresh(result.data) }
      : { ...result, message: redact(result.message) };
    const reply = { status: 200, body: publicResult };
    last.set(row.id, { at: now(), reply });
    return reply;
  };
}

async function put(source: CredentialSource, body: unknown): Promise<Reply> {
  const parsed = PutBody().safeParse(body);
  if (!parsed.success) return failure(400, "invalid", "The body must be {provider, data}.");
  if (!source.put) return failure(409, "not_kept", "This broker does not store credentials.");
  const { provider, data } = parsed.data;
  if (data.type === "oauth" && data.refresh === REMOTE)
    return failure(400, "invalid", "This login belongs to another broker.");
  const { id, identity } = await source.put(provider, data as CredentialData);
  return { status: 200, body: { id, provider, identity } };
}

function report(source: CredentialSource, row: CredentialRow, body: unknown): Reply {
  const parsed = ReportBody().safeParse(body);
  if (!parsed.success)
    return failure(400, "invalid", "The body must be {outcome: ok}, or a failure with its category.");
  const { outcome, ...failed } = parsed.data;
  source.report(row, outcome === "ok" || !("category" in failed) ? "ok" : failed);
  return { status: 200, body: {} };
}

/** Long poll: answers at once, or, with `since`, on the next change or after `wait` seconds. */
async function snapshotReply(source: CredentialSource, url: URL, closing: AbortSignal): Promise<Reply> {
  const since = url.searchParams.get("since");
  const wait = Number(url.searchParams.get("wait") ?? 0);
  if (!(wait >= 0)) return failure(400, "invalid", "`wait` must be a number of seconds.");
  const until = performance.now() + Math.min(wait * 1000, LONGEST_WAIT_MS);
  while (since !== null && versionOf(source.rows()) === since && performance.now() < until && !closing.aborted)
    await sleep(LOOK_MS);
  // Logins at MCP servers are for this machine only.
  const rows = source.rows().filter(({ provider }) => !provider.startsWith("mcp:"));
  const credentials = await Promise.all(rows.map((row) => shareRow(source, row)));
  return { status: 200, body: { version: versionOf(rows), credentials } satisfies Snapshot };
}

async function shareRow(source: CredentialSource, row: CredentialRow): Promise<Shared> {
  const data = await source.open(row);
  if (!data) return row;
  return { ...row, data: data.type === "oauth" ? withoutRefresh(data) : data };
}

function withoutRefresh({ state: _state, ...data }: LoginData): LoginData & { refresh: typeof REMOTE } {
  return { ...data, refresh: REMOTE };
}

function versionOf(rows: readonly CredentialRow[]): string {
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
}

function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } satisfies Failure };
}

/** `undefined` if the body is too large or not JSON. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
