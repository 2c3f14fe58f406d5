import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderFailure } from "../../messages.ts";
import { redact } from "../hiding.ts";
import { after, type Clock } from "../rotation.ts";
import type { CredentialRow, CredentialSource, LoginData, Refreshed } from "../rows.ts";
import type { CredentialStore } from "./store.ts";

/** Asks a provider for new tokens. Never rejects. */
export type RefreshLogin = (provider: string, data: LoginData, signal: AbortSignal) => Promise<Refreshed>;

const REQUEST_MS = 30_000;
/** Longer than a request may take, so that nobody else begins while one is under way. */
const LEASE_MS = REQUEST_MS + 5_000;
const LOOK_AGAIN_MS = 100;

/** Stored credentials of this machine. */
export function localSource(store: CredentialStore, refreshLogin: RefreshLogin, clock: Clock): CredentialSource {
  const underway = new Map<number, Promise<Refreshed>>();
  const refresh = async (row: CredentialRow, known: LoginData, signal?: AbortSignal): Promise<Refreshed> => {
    const mine =
      underway.get(row.id) ?? refreshOnce(store, row, known, refreshLogin).finally(() => underway.delete(row.id));
    underway.set(row.id, mine);
    // Whoever gives up waiting does not end the request that others wait for, too.
    return signal ? Promise.race([mine, aborted(signal)]) : mine;
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
  const patience = AbortSignal.timeout(2 * LEASE_MS);
  try {
    while (!patience.aborted) {
      const release = store.lease(`refresh ${row.id}`, LEASE_MS);
      const current = await store.open(row.id);
      if (current?.type !== "oauth") {
        release?.();
        return { ok: false, permanent: true, message: `The login of ${row.provider} is gone.` };
      }
      if (current.access !== known.access) {
        release?.();
        return { ok: true, data: current };
      }
      if (release) return await ask(store, row, current, refreshLogin).finally(release);
      await sleep(LOOK_AGAIN_MS);
    }
  } catch (error) {
    return { ok: false, permanent: false, message: redact((error as Error).message) };
  }
  return {
    ok: false,
    permanent: false,
    message: `Another process refreshes ${row.provider} and does not come to an end.`,
  };
}

async function ask(
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
  const now = store.rows().find(({ id }) => id === row.id);
  if (!now || (outcome === "ok" && now.strikes === 0 && now.restingUntil === 0)) return;
  const rest = after(now, outcome, clock);
  if (!rest) return;
  store.mark(row.id, rest);
  if (rest.disable && outcome !== "ok")
    store.disable(row.id, redact(`Refused ${rest.strikes} times: ${outcome.message}`));
}

function aborted(signal: AbortSignal): Promise<Refreshed> {
  const result: Refreshed = { ok: false, permanent: false, message: "The login was not refreshed: aborted." };
  if (signal.aborted) return Promise.resolve(result);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(result), { once: true }));
}
