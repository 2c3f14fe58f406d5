import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { LoginResult, LoginTalk } from "./login.ts";
import type { OAuthRow } from "./row.ts";
import { type Fetch, loginOf, post, tokensFor } from "./tokens.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SLOWER_SECONDS = 5;
/** A page that a browser can open, and nothing else that a system may have a program for. */
const page = z.url({ protocol: /^https?$/ });
const Device = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1).max(64),
  verification_uri: page,
  verification_uri_complete: page.optional(),
  expires_in: z.coerce.number().positive().default(900),
  interval: z.coerce.number().nonnegative().default(5),
});

/** RFC 8628: shows a code, and asks from time to time whether it was typed in. */
export async function loginByDevice(
  row: OAuthRow,
  talk: LoginTalk,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  if (!row.device) return { ok: false, reason: "refused", message: `${row.name} has no login by a code.` };
  const begun = await post(
    row,
    row.device.url,
    { client_id: row.clientId, scope: row.scopes.join(" ") },
    fetch,
    signal,
  );
  if (!begun.ok) return { ok: false, reason: "refused", message: begun.message };
  const device = Device.safeParse(begun.answer);
  if (!device.success) return { ok: false, reason: "refused", message: `${row.name} answered without a code.` };
  const { user_code, verification_uri, verification_uri_complete, expires_in, interval, device_code } = device.data;
  await talk.openUrl(verification_uri_complete ?? verification_uri, `Log in and type this code: ${user_code}`);
  talk.progress("Waiting for the login …");
  const until = performance.now() + expires_in * 1000;
  let wait = interval;
  for (;;) {
    await sleep(Math.min(wait * 1000, Math.max(0, until - performance.now())), undefined, { signal });
    if (performance.now() >= until) return expired();
    const asked = await tokensFor(row, { grant_type: GRANT, device_code }, fetch, signal);
    if (asked.ok) {
      const made = await loginOf(row, asked.answer, fetch, signal);
      return made.ok ? made : { ok: false, reason: "refused", message: made.message };
    }
    if (asked.error === "slow_down") wait = slower(wait, asked.answer?.interval);
    else if (asked.error === "expired_token") return expired();
    else if (asked.error === "access_denied")
      return { ok: false, reason: "denied", message: `${row.name}: the login was refused.` };
    // The network may come back before the code has run out.
    else if (asked.error !== "authorization_pending" && asked.status !== 0 && asked.status < 500)
      return { ok: false, reason: "refused", message: asked.message };
    else if (asked.status === 0) wait = Math.max(wait, SLOWER_SECONDS);
  }
}

function slower(wait: number, told: unknown): number {
  return typeof told === "number" && told > wait ? told : wait + SLOWER_SECONDS;
}

function expired(): LoginResult {
  return { ok: false, reason: "expired", message: "The code was not typed in time: begin again." };
}
