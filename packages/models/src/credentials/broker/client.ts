import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { ProviderFailure } from "../../messages.ts";
import { redact, rememberSecret } from "../hiding.ts";
import { after, type Clock } from "../rotation.ts";
import type { CredentialSource, Refreshed } from "../rows.ts";
import { RefreshAnswer, type Shared, Snapshot } from "./wire.ts";

export type BrokerAddress = { url: string; token: string };
type Options = BrokerAddress & { clock: Clock; pollMs?: number };

const REQUEST_MS = 40_000;
const POLL_MS = 5_000;

/**
 * Stored credentials of a broker. What it told last is kept in memory and used on while it does not answer, until the
 * tokens have run out. It is asked for changes from time to time, which keeps no process alive.
 */
export function brokerSource({ url, token, clock, pollMs = POLL_MS }: Options): CredentialSource {
  rememberSecret(token);
  const base = url.replace(/\/+$/, "");
  const closing = new AbortController();
  let shared: readonly Shared[] = [];
  let problem: string | undefined;
  const ask = async <Value>(path: string, schema: z.ZodType<Value>, body?: unknown, signal?: AbortSignal) => {
    const result = await request(`${base}${path}`, token, signal ?? closing.signal, body);
    const parsed = "answer" in result ? schema.safeParse(result.answer) : undefined;
    if (parsed?.success) return { answer: parsed.data };
    return { problem: "problem" in result ? result.problem : `The broker at ${url} does not speak as it should.` };
  };
  const load = async () => {
    const told = await ask("/v1/snapshot", Snapshot);
    if (closing.signal.aborted) return;
    problem = told.problem;
    if (told.answer) shared = told.answer.credentials;
  };
  const first = load();
  void follow(first, load, pollMs, closing.signal);
  const change = (id: number, more: Partial<Shared>) => {
    shared = shared.map((one) => (one.id === id ? { ...one, ...more } : one));
  };
  return {
    // Whoever lists rows may print them: without the secrets.
    rows: () => shared.map(({ data: _, ...row }) => row),
    open: async ({ id }) => shared.find((one) => one.id === id)?.data,
    async refresh(row, known, signal): Promise<Refreshed> {
      const told = await ask(`/v1/credential/${row.id}/refresh`, RefreshAnswer, { access: known.access }, signal);
      if (!told.answer) return { ok: false, permanent: false, message: told.problem ?? "" };
      if (told.answer.ok) change(row.id, { data: told.answer.data });
      return told.answer as Refreshed;
    },
    report(row, outcome) {
      const rest = after(row, outcome, clock);
      if (!rest || (outcome === "ok" && row.strikes === 0)) return;
      change(row.id, { restingUntil: rest.restingUntil, strikes: rest.strikes });
      const body = outcome === "ok" ? { outcome } : { outcome: "failure", ...told(outcome) };
      // Whether it heard it or not: here the credential rests.
      void request(`${base}/v1/credential/${row.id}/report`, token, closing.signal, body);
    },
    problems: () => (problem === undefined ? [] : [problem]),
    ready: async (signal) => void (await Promise.race([first, ...(signal ? [ended(signal)] : [])])),
    close: () => closing.abort(),
  };
}

async function follow(
  first: Promise<void>,
  load: () => Promise<void>,
  pollMs: number,
  signal: AbortSignal,
): Promise<void> {
  await first;
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await load();
  }
}

function told({ category, message, status, retryAfterMs }: ProviderFailure): Record<string, unknown> {
  return {
    category,
    message: redact(message).slice(0, 2000),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

async function request(
  url: string,
  token: string,
  signal: AbortSignal,
  body?: unknown,
): Promise<{ answer: unknown } | { problem: string }> {
  const host = URL.parse(url)?.host ?? url;
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      redirect: "error",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return { answer };
    const wrong = response.status === 401 ? " The token (GANTRY_AUTH_BROKER_TOKEN) is wrong." : "";
    return { problem: `The broker at ${host} answered ${response.status}.${wrong}` };
  } catch (error) {
    const cause = (error as Error & { cause?: Error }).cause?.message ?? (error as Error).message;
    return { problem: redact(`The broker at ${host} does not answer: ${cause}`) };
  }
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
