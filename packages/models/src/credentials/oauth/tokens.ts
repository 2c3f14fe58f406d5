import { z } from "zod";
import { redact, rememberSecret } from "../hiding.ts";
import type { LoginData, Refreshed } from "../rows.ts";
import type { OAuthRow } from "./row.ts";

export type Fetch = typeof globalThis.fetch;
type Fields = Record<string, string>;
/** `error` is the provider's word (`invalid_grant`, `slow_down` …), if it said one. */
export type Asked =
  | { ok: true; answer: Record<string, unknown> }
  | { ok: false; status: number; error?: string; message: string; answer?: Record<string, unknown> };

const REQUEST_MS = 30_000;
const DEFAULT_LIFE_SECONDS = 3_600;
const Seconds = z.coerce.number().positive().catch(DEFAULT_LIFE_SECONDS);

/** Asks an endpoint of a provider. `status` 0: it was not reached. Never rejects, and says no token in its words. */
export async function post(
  row: OAuthRow,
  url: string,
  fields: Fields,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<Asked> {
  const json = row.body === "json";
  return ask(url, fetch, signal, {
    method: "POST",
    headers: {
      Accept: "application/json",
      "Content-Type": json ? "application/json" : "application/x-www-form-urlencoded",
      ...row.headers,
    },
    body: json ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  });
}

/** The tokens for a code or a device code. */
export async function tokensFor(row: OAuthRow, fields: Fields, fetch: Fetch, signal?: AbortSignal): Promise<Asked> {
  return post(row, row.tokenUrl, { client_id: row.clientId, ...secretOf(row), ...fields }, fetch, signal);
}

/** What the provider answered, as a login. With a trade the long-lived token is traded at once. */
export async function loginOf(
  row: OAuthRow,
  answer: Record<string, unknown>,
  fetch: Fetch,
  signal?: AbortSignal,
  before?: LoginData,
): Promise<Refreshed> {
  const access = answer.access_token;
  if (typeof access !== "string" || access === "")
    return { ok: false, permanent: false, message: `${row.name} answered without a token.` };
  rememberSecret(access);
  if (row.trade && !before) return trade(row, access, fetch, signal);
  const refresh = typeof answer.refresh_token === "string" ? answer.refresh_token : before?.refresh;
  if (!refresh) return { ok: false, permanent: false, message: `${row.name} gave a token that cannot be refreshed.` };
  const expires = Date.now() + Seconds.parse(answer.expires_in) * 1000;
  const described = Object.entries(row.describe?.(answer) ?? {}).filter(([, value]) => value !== undefined);
  return { ok: true, data: { ...before, type: "oauth", access, refresh, expires, ...Object.fromEntries(described) } };
}

export async function refreshTokens(
  row: OAuthRow,
  data: LoginData,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<Refreshed> {
  rememberSecret(data.refresh);
  if (row.trade) return trade(row, data.refresh, fetch, signal, data);
  const asked = await tokensFor(row, { grant_type: "refresh_token", refresh_token: data.refresh }, fetch, signal);
  if (asked.ok) return loginOf(row, asked.answer, fetch, signal, data);
  const permanent = asked.error === "invalid_grant" || asked.status === 401 || asked.status === 403;
  return { ok: false, permanent, message: `${asked.message}${permanent ? againWith(row) : ""}` };
}

async function trade(
  row: OAuthRow,
  lasting: string,
  fetch: Fetch,
  signal: AbortSignal | undefined,
  before?: LoginData,
): Promise<Refreshed> {
  const { url = "", headers } = row.trade ?? {};
  const asked = await ask(url, fetch, signal, {
    headers: { Accept: "application/json", ...headers, Authorization: `Bearer ${lasting}` },
  });
  if (!asked.ok) {
    const permanent = asked.status === 401 || asked.status === 403 || asked.status === 404;
    return { ok: false, permanent, message: `${asked.message}${permanent ? againWith(row) : ""}` };
  }
  const traded = z.object({ token: z.string().min(1), expires_at: z.number() }).safeParse(asked.answer);
  if (!traded.success) return { ok: false, permanent: false, message: `${row.name} answered without a token.` };
  const { token, expires_at } = traded.data;
  return { ok: true, data: { ...before, type: "oauth", access: token, refresh: lasting, expires: expires_at * 1000 } };
}

function againWith(row: OAuthRow): string {
  return ` Log in again: gantry auth login ${row.provider}`;
}

function secretOf({ clientSecret }: OAuthRow): Fields {
  return clientSecret === undefined ? {} : { client_secret: clientSecret };
}

async function ask(url: string, fetch: Fetch, signal: AbortSignal | undefined, init: RequestInit): Promise<Asked> {
  const signals = [AbortSignal.timeout(REQUEST_MS), ...(signal ? [signal] : [])];
  const host = URL.parse(url)?.host ?? url;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.any(signals), redirect: "error" });
    text = await response.text();
  } catch (error) {
    const cause = (error as Error & { cause?: Error }).cause?.message ?? (error as Error).message;
    return { ok: false, status: 0, message: redact(`${host} was not reached: ${cause}.`) };
  }
  const answer = objectOf(text);
  const { error, error_description: description } = answer ?? {};
  if (response.ok && answer && error === undefined) return { ok: true, answer };
  const word = typeof error === "string" ? error : undefined;
  const said = [word, typeof description === "string" ? description : undefined].filter(Boolean).join(": ");
  const message = redact(`${host} answered ${response.status}${said ? ` (${said.slice(0, 300)})` : ""}.`);
  return { ok: false, status: response.status, ...(word === undefined ? {} : { error: word }), message, answer };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
