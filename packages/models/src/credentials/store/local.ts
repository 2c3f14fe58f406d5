import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderFailure } from "../../messages.ts";
import { redact } from "../redaction.ts";
import { applyOutcome, type Clock } from "../rotation.ts";
import type { CredentialRow, CredentialSource, LoginData, Refreshed } from "../stored-credential.ts";
import type { CredentialStore } from "./store.ts";

/** Requests new tokens from a provider. Never rejects. */
export type RefreshLogin = (provider: string, data: LoginData, signal: AbortSignal) => Promise<Refreshed>;

const REQUEST_MS = 30_000;
/** Longer than a request may take, so that no other process starts one while it runs. */
const LEASE_MS = REQUEST_MS + 5_000;
const LOOK_AGAIN_MS = 100;

/** Stored credentials of this machine. */
export function localSource(store: CredentialStore, refreshLogin: RefreshLogin, clock: Clock): CredentialSource {
  const inFlight = new Map<number, Promise<Refreshed>>();
  const refresh = async (row: CredentialRow, known: LoginData, signal?: AbortSignal): Promise<Refreshed> => {
    const mine =
      inFlight.get(row.id) ?? refreshOnce(store, row, known, refreshLogin).finally(() => inFlight.delete(row.id));
    inFlight.set(row.id, mine);
    // A caller that aborts must not cancel the request that other callers share.
    return signal ? Promise.race([mine, abortedResult(signal)]) : mine;
  };
  return {
    rows: () => store.rows(),
    open: ({ id }) => store.open(id),
    refresh,
    report: (row, outcome) => report(store, row, outcome, clock),
    put: (provider, data) => store.put(provider, data),
    problems: () => store.problems(),
    ready: async () => {},
    close: () => store.close(),
  };
}

async function refreshOnce(
  store: CredentialStore,
  row: CredentialRow,
  known: LoginData,
  refreshLogin: RefreshLogin,
): Promise<Refreshed> {
  const timeout = AbortSignal.timeout(2 * LEASE_MS);
  try {
    while (!timeout.aborted) {
      const release = store.lease(`refresh ${row.id}`, LEASE_MS);
      const current = await store.open(row.id);
      if (current?.type !== "oauth") {
        release?.();
        return { ok: false, permanent: true, message: `The login of ${row.provider} was removed.` };
      }
      if (current.access !== known.access) {
        release?.();
        return { ok: true, data: current };
      }
      if (release) return await requestRefresh(store, row, current, refreshLogin).finally(release);
      await sleep(LOOK_AGAIN_MS);
    }
  } catch (error) {
    return { ok: false, permanent: false, message: redact((error as Error).message) };
  }
  return {
    ok: false,
    permanent: false,
    message: `Another process is refreshing ${row.provider} and does not finish. Try again.`,
  };
}

async function requestRefresh(
  store: CredentialStore,
  row: CredentialRow,
  data: LoginData,
  refreshLogin: RefreshLogin,
): Promise<Refreshed> {
  const result = await refreshLogin(row.provider, data, AbortSignal.timeout(REQUEST_MS));
  if (result.ok) await store.update(row.id, result.data);
  else if (result.permanent) store.disable(row.id, redact(result.message));
  return result;
}

function report(store: CredentialStore, row: CredentialRow, outcome: "ok" | ProviderFailure, clock: Clock): void {
  const current = store.rows().find(({ id }) => id === row.id);
  if (!current || (outcome === "ok" && current.strikes === 0 && current.restingUntil === 0)) return;
  const cooldown = applyOutcome(current, outcome, clock);
  if (!cooldown) return;
  store.mark(row.id, cooldown);
  if (cooldown.disable && outcome !== "ok")
    store.disable(row.id, redact(`Rejected ${cooldown.strikes} times: ${outcome.message}`));
}

function abortedResult(signal: AbortSignal): Promise<Refreshed> {
  const result: Refreshed = { ok: false, permanent: false, message: "The login was not refreshed: aborted." };
  if (signal.aborted) return Promise.resolve(result);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(result), { once: true }));
}
