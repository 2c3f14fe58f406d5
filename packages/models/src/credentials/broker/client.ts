import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { ProviderFailure } from "../../messages.ts";
import { redact, rememberSecret } from "../redaction.ts";
import { applyOutcome, type Clock } from "../rotation.ts";
import type { CredentialSource, Refreshed } from "../stored-credential.ts";
import { RefreshAnswer, type Shared, Snapshot } from "./wire.ts";

export type BrokerAddress = { url: string; token: string };
type Options = BrokerAddress & { clock: Clock; pollMs?: number };

const REQUEST_MS = 40_000;
const POLL_MS = 5_000;

/**
 * Stored credentials of a broker. The last snapshot stays in memory and is used while the broker is unreachable, until
 * its tokens expire. Polls for changes without keeping the process alive.
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
    return { problem: "problem" in result ? result.problem : `The broker at ${url} sent an invalid response.` };
  };
  const load = async () => {
    const response = await ask("/v1/snapshot", Snapshot());
    if (closing.signal.aborted) return;
    problem = response.problem;
    if (response.answer) shared = response.answer.credentials;
  };
  const first = load();
  void follow(first, load, pollMs, closing.signal);
  const change = (id: number, more: Partial<Shared>) => {
    shared = shared.map((one) => (one.id === id ? { ...one, ...more } : one));
  };
  return {
    // Callers may print rows, so they must not contain secrets.
    rows: () => shared.map(({ data: _, ...row }) => row),
    open: async ({ id }) => shared.find((one) => one.id === id)?.data,
    async refresh(row, known, signal): Promise<Refreshed> {
      const response = await ask(`/v1/credential/${row.id}/refresh`, RefreshAnswer(), { access: known.access }, signal);
      if (!response.answer) return { ok: false, permanent: false, message: response.problem ?? "" };
      if (response.answer.ok) change(row.id, { data: response.answer.data });
      return response.answer as Refreshed;
    },
    report(row, outcome) {
      const rest = applyOutcome(row, outcome, clock);
      if (!rest || (outcome === "ok" && row.strikes === 0)) return;
      change(row.id, { restingUntil: rest.restingUntil, strikes: rest.strikes });
      const body = outcome === "ok" ? { outcome } : { outcome: "failure", ...reportedFailure(outcome) };
      // Best effort: the local cooldown applies even if the broker does not receive the report.
      void request(`${base}/v1/credential/${row.id}/report`, token, closing.signal, body);
    },
    problems: () => (problem === undefined ? [] : [problem]),
    ready: async (signal) => void (await Promise.race([first, ...(signal ? [whenAborted(signal)] : [])])),
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

function reportedFailure({ category, message, status, retryAfterMs }: ProviderFailure): Record<string, unknown> {
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

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
