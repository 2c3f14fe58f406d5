import { createHash, randomBytes } from "node:crypto";
import { type Callback, equalInConstantTime, listenForCallback } from "./callback.ts";
import { loginByDevice } from "./device.ts";
import type { LoginMethod, LoginResult, LoginUi, OAuthProvider } from "./oauth-provider.ts";
import { type Fetch, finishLogin, requestTokens } from "./tokens.ts";

export type LoginOptions = {
  method: LoginMethod;
  ui: LoginUi;
  signal?: AbortSignal;
  fetch?: Fetch;
  timeoutMs?: number;
};
const TIMEOUT_MS = 10 * 60_000;
const STATE_MISMATCH = "The code belongs to another login. Start again.";

/** Runs one login. Always settles, at the latest on abort or timeout. Never rejects. */
export async function login(row: OAuthProvider, options: LoginOptions): Promise<LoginResult> {
  const { method, ui, fetch = globalThis.fetch } = options;
  const time = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, time]) : time;
  const run = method === "device" ? loginByDevice(row, ui, fetch, signal) : loginByCode(row, method, ui, fetch, signal);
  const outcome = await Promise.race([run.catch(failedResult), abortedResult(signal)]);
  if (outcome.ok || !signal.aborted) return outcome;
  if (options.signal?.aborted) return { ok: false, reason: "aborted", message: "The login was cancelled." };
  return { ok: false, reason: "expired", message: "The login timed out. Start again." };
}

async function loginByCode(
  row: OAuthProvider,
  method: LoginMethod,
  ui: LoginUi,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  const { authorize } = row;
  if (!authorize) return { ok: false, reason: "refused", message: `${row.name} does not support login in a browser.` };
  const state = randomBytes(24).toString("base64url");
  const verifier = randomBytes(48).toString("base64url");
  const { port, path } = authorize;
  const fixed = { redirectUri: `http://localhost:${port}${path}`, result: undefined, close: () => {} };
  const callback = method === "paste" ? fixed : await listenForCallback({ port, path, state }).catch(() => undefined);
  if (!callback)
    return { ok: false, reason: "port", message: `Port ${port} is in use by another program. Try: --way paste` };
  const done = new AbortController();
  try {
    const code = await Promise.race([
      (async () => {
        await ui.openUrl(authorizeUrl(row, callback.redirectUri, state, verifier), instructionsFor(method));
        return waitForCode(callback, state, ui, AbortSignal.any([signal, done.signal]));
      })(),
      abortedResult(signal),
    ]);
    if ("ok" in code) return code;
    ui.progress("Requesting the tokens …");
    return await exchangeCode(
      row,
      { code: code.code, state, verifier, redirectUri: callback.redirectUri },
      fetch,
      signal,
    );
  } finally {
    done.abort();
    callback.close();
  }
}

function instructionsFor(method: LoginMethod): string {
  return method === "paste"
    ? "Log in with any browser. The last page does not load: copy its address and paste it here."
    : "Log in with the browser. If it runs on another machine, paste the address of the last page here.";
}

function authorizeUrl(row: OAuthProvider, redirectUri: string, state: string, verifier: string): string {
  const url = new URL(row.authorize?.url ?? "");
  const fields = {
    ...row.authorize?.extra,
    response_type: "code",
    client_id: row.clientId,
    redirect_uri: redirectUri,
    scope: row.scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

type Code = { code: string } | Extract<LoginResult, { ok: false }>;

/** Waits for the redirect or for a pasted code, whichever is first. A prompt that cannot be answered does not end the wait. */
async function waitForCode(
  callback: Callback | { result: undefined },
  state: string,
  ui: LoginUi,
  signal: AbortSignal,
): Promise<Code> {
  const pasted = ui
    .askCode("Code or address", signal)
    .then((text) => (text?.trim() ? parsePasted(text, state) : undefined));
  const { result } = callback;
  if (!result) return (await pasted) ?? { ok: false, reason: "refused", message: "No code was entered." };
  const fromBrowser = result.then((found): Code => ("code" in found ? found : deniedResult(found.denied)));
  return Promise.race([fromBrowser, pasted.then((code) => code ?? fromBrowser)]);
}

function deniedResult(reason: string): Code {
  return { ok: false, reason: "denied", message: `The login was denied: ${reason.slice(0, 300)}` };
}

/** Accepts a URL with `code` and `state`, `code#state`, or the code alone. */
function parsePasted(text: string, state: string): Code {
  const input = text.trim();
  const url = URL.parse(input);
  const fields = url?.searchParams ?? (input.includes("code=") ? new URLSearchParams(input) : undefined);
  const error = fields?.get("error");
  if (error) return deniedResult(fields?.get("error_description") || error);
  const [code = "", receivedState] = fields
    ? [fields.get("code") ?? "", fields.get("state") ?? undefined]
    : input.split("#");
  if (receivedState !== undefined && !equalInConstantTime(receivedState, state))
    return { ok: false, reason: "state", message: STATE_MISMATCH };
  return code ? { code } : { ok: false, reason: "refused", message: "The pasted text contains no code." };
}

type CodeGrant = { code: string; state: string; verifier: string; redirectUri: string };

async function exchangeCode(
  row: OAuthProvider,
  grant: CodeGrant,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  const fields = {
    grant_type: "authorization_code",
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
    ...(row.authorize?.stateWithCode ? { state: grant.state } : {}),
  };
  return finishLogin(row, await requestTokens(row, fields, fetch, signal), fetch, signal);
}

function failedResult(error: unknown): LoginResult {
  return { ok: false, reason: "refused", message: error instanceof Error ? error.message : String(error) };
}

function abortedResult(signal: AbortSignal): Promise<LoginResult> {
  const { promise, resolve } = Promise.withResolvers<LoginResult>();
  const end = () => resolve({ ok: false, reason: "aborted", message: "" });
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
}
