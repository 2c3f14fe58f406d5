import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { once } from "../../once.ts";
import type { LoginResult, LoginUi, OAuthProvider } from "./oauth-provider.ts";
import { type Fetch, finishLogin, post, requestTokens } from "./tokens.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SLOWER_SECONDS = 5;
/** Only http and https: the system may have programs registered for other schemes. */
const page = z.url({ protocol: /^https?$/ });
const Device = once(() =>
  z.object({
    device_code: z.string().min(1),
    user_code: z.string().min(1).max(64),
    verification_uri: page,
    verification_uri_complete: page.optional(),
    expires_in: z.coerce.number().positive().default(900),
    interval: z.coerce.number().nonnegative().default(5),
  }),
);

/** Device authorization grant (RFC 8628): shows a code and polls until the user has entered it. */
export async function loginByDevice(
  row: OAuthProvider,
  ui: LoginUi,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  if (!row.device)
    return { ok: false, reason: "refused", message: `${row.name} does not support login by device code.` };
  const started = await post(
    row,
    row.device.url,
    { client_id: row.clientId, scope: row.scopes.join(" ") },
    fetch,
    signal,
  );
  if (!started.ok) return { ok: false, reason: "refused", message: started.message };
  const device = Device().safeParse(started.body);
  if (!device.success) return { ok: false, reason: "refused", message: `${row.name} sent no device code.` };
  const { user_code, verification_uri, verification_uri_complete, expires_in, interval, device_code } = device.data;
  await ui.openUrl(verification_uri_complete ?? verification_uri, `Log in and enter this code: ${user_code}`);
  ui.progress("Waiting for the login …");
  const until = performance.now() + expires_in * 1000;
  let wait = interval;
  for (;;) {
    const remainingMs = until - performance.now();
    await sleep(Math.max(0, Math.min(wait * 1000, remainingMs)), undefined, { signal });
    // Timers may fire up to a millisecond early, so the decision uses the planned delay.
    if (wait * 1000 >= remainingMs) return expiredResult();
    const response = await requestTokens(row, { grant_type: GRANT, device_code }, fetch, signal);
    if (response.ok) return finishLogin(row, response, fetch, signal);
    if (response.error === "slow_down") wait = slowDown(wait, response.body?.interval);
    else if (response.error === "expired_token") return expiredResult();
    else if (response.error === "access_denied")
      return { ok: false, reason: "denied", message: `${row.name}: the login was denied.` };
    // The network may recover before the code expires.
    else if (response.error !== "authorization_pending" && response.status !== 0 && response.status < 500)
      return { ok: false, reason: "refused", message: response.message };
    else if (response.status === 0) wait = Math.max(wait, SLOWER_SECONDS);
  }
}

function slowDown(wait: number, interval: unknown): number {
  return typeof interval === "number" && interval > wait ? interval : wait + SLOWER_SECONDS;
}

function expiredResult(): LoginResult {
  return { ok: false, reason: "expired", message: "The code expired before it was entered. Start again." };
}
