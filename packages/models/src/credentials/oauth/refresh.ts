import type { RefreshLogin } from "../store/local.ts";
import type { OAuthRow } from "./row.ts";
import { type Fetch, refreshTokens } from "./tokens.ts";

/** Refreshes logins of these rows. */
export function refreshWith(rows: readonly OAuthRow[], fetch: Fetch = globalThis.fetch): RefreshLogin {
  return async (provider, data, signal) => {
    const row = rows.find((one) => one.provider === provider);
    if (row) return refreshTokens(row, data, fetch, signal);
    return { ok: false, permanent: false, message: `Nobody knows how to refresh a login of ${provider} here.` };
  };
}
