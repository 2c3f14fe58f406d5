import { z } from "zod";
import { redact, rememberSecret } from "../redaction.ts";
import type { RefreshLogin } from "../store/local.ts";
import type { LoginData, Refreshed } from "../stored-credential.ts";
import type { LoginResult, OAuthProvider } from "./oauth-provider.ts";

export type Fetch = typeof globalThis.fetch;
type Fields = Record<string, string>;
/** `error` is the OAuth error code (`invalid_grant`, `slow_down` …), if the provider sent one. */
export type EndpointResult =
  | { ok: true; body: Record<string, unknown> }
  | { ok: false; status: number; error?: string; message: string; body?: Record<string, unknown> };

const REQUEST_MS = 30_000;
const DEFAULT_LIFE_SECONDS = 3_600;
const Seconds = z.coerce.number().positive().catch(DEFAULT_LIFE_SECONDS);

/** Posts to an endpoint of a provider. `status` 0: unreachable. Never rejects; messages contain no token. */
export async function post(
  row: OAuthProvider,
  url: string,
  fields: Fields,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<EndpointResult> {
  const json = row.body === "json";
  return send(url, fetch, signal, {
    method: "POST",
    headers: {
      Accept: "application/json",
      "Content-Type": json ? "application/json" : "application/x-www-form-urlencoded",
      ...row.headers,
    },
    body: json ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  });
}

/** Requests tokens for an authorization code, a device code or a refresh token. */
export async function requestTokens(
  row: OAuthProvider,
  fields: Fields,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<EndpointResult> {
  return post(row, row.tokenUrl, { client_id: row.clientId, ...clientSecretField(row), ...fields }, fetch, signal);
}

/** Turns a token response into a login. A provider with `trade` exchanges its long-lived token at once. */
async function readLogin(
  row: OAuthProvider,
  body: Record<string, unknown>,
  fetch: Fetch,
  signal?: AbortSignal,
  before?: LoginData,
): Promise<Refreshed> {
  const access = body.access_token;
  if (typeof access !== "string" || access === "")
    return { ok: false, permanent: false, message: `${row.name} sent no token.` };
  rememberSecret(access);
  if (row.trade && !before) return tradeToken(row, access, fetch, signal);
  const refresh = typeof body.refresh_token === "string" ? body.refresh_token : before?.refresh;
  if (!refresh) return { ok: false, permanent: false, message: `${row.name} sent no refresh token.` };
  const expires = Date.now() + Seconds.parse(body.expires_in) * 1000;
  const described = Object.entries(row.describe?.(body) ?? {}).filter(([, value]) => value !== undefined);
  return { ok: true, data: { ...before, type: "oauth", access, refresh, expires, ...Object.fromEntries(described) } };
}

/** Ends a login flow: reads the login from the provider's token response. Never rejects. */
export async function finishLogin(
  row: OAuthProvider,
  response: EndpointResult,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  const login = response.ok ? await readLogin(row, response.body, fetch, signal) : response;
  return login.ok ? login : { ok: false, reason: "refused", message: login.message };
}

export async function refreshTokens(
  row: OAuthProvider,
  data: LoginData,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<Refreshed> {
  rememberSecret(data.refresh);
  if (row.trade) return tradeToken(row, data.refresh, fetch, signal, data);
  const response = await requestTokens(
    row,
    { grant_type: "refresh_token", refresh_token: data.refresh },
    fetch,
    signal,
  );
  if (response.ok) return readLogin(row, response.body, fetch, signal, data);
  const permanent = response.error === "invalid_grant" || response.status === 401 || response.status === 403;
  return { ok: false, permanent, message: `${response.message}${permanent ? loginHint(row) : ""}` };
}

/** Refreshes the logins of these providers. */
export function refreshWith(providers: readonly OAuthProvider[], fetch: Fetch = globalThis.fetch): RefreshLogin {
  return async (provider, data, signal) => {
    const row = providers.find((one) => one.provider === provider);
    if (row) return refreshTokens(row, data, fetch, signal);
    return { ok: false, permanent: false, message: `This Gantry cannot refresh logins of ${provider}.` };
  };
}

async function tradeToken(
  row: OAuthProvider,
  longLivedToken: string,
  fetch: Fetch,
  signal: AbortSignal | undefined,
  before?: LoginData,
): Promise<Refreshed> {
  const { url = "", headers } = row.trade ?? {};
  const response = await send(url, fetch, signal, {
    headers: { Accept: "application/json", ...headers, Authorization: `Bearer ${longLivedToken}` },
  });
  if (!response.ok) {
    const permanent = response.status === 401 || response.status === 403 || response.status === 404;
    return { ok: false, permanent, message: `${response.message}${permanent ? loginHint(row) : ""}` };
  }
  const traded = z.object({ token: z.string().min(1), expires_at: z.number() }).safeParse(response.body);
  if (!traded.success) return { ok: false, permanent: false, message: `${row.name} sent no token.` };
  const { token, expires_at } = traded.data;
  return {
    ok: true,
    data: { ...before, type: "oauth", access: token, refresh: longLivedToken, expires: expires_at * 1000 },
  };
}

function loginHint(row: OAuthProvider): string {
  return ` Log in again: gantry auth login ${row.provider}`;
}

function clientSecretField({ clientSecret }: OAuthProvider): Fields {
  return clientSecret === undefined ? {} : { client_secret: clientSecret };
}

async function send(
  url: string,
  fetch: Fetch,
  signal: AbortSignal | undefined,
  init: RequestInit,
): Promise<EndpointResult> {
  const signals = [AbortSignal.timeout(REQUEST_MS), ...(signal ? [signal] : [])];
  const host = URL.parse(url)?.host ?? url;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.any(signals), redirect: "error" });
    text = await response.text();
  } catch (error) {
    const cause = (error as Error & { cause?: Error }).cause?.message ?? (error as Error).message;
    return { ok: false, status: 0, message: redact(`${host} could not be reached: ${cause}.`) };
  }
  const body = parseObject(text);
  const { error, error_description: description } = body ?? {};
  if (response.ok && body && error === undefined) return { ok: true, body };
  const code = typeof error === "string" ? error : undefined;
  const details = [code, typeof description === "string" ? description : undefined].filter(Boolean).join(": ");
  const message = redact(`${host} answered ${response.status}${details ? ` (${details.slice(0, 300)})` : ""}.`);
  return { ok: false, status: response.status, ...(code === undefined ? {} : { error: code }), message, body };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
