import { createHash, randomBytes } from "node:crypto";
import type { LoginData } from "../rows.ts";
import { type Callback, listenForCallback, same } from "./callback.ts";
import { loginByDevice } from "./device.ts";
import type { OAuthRow, Way } from "./row.ts";
import { type Fetch, loginOf, tokensFor } from "./tokens.ts";

/** How a flow talks with the person; it has no screen of its own. */
export type LoginTalk = {
  /** Shows the address, and opens it if that can be done. */
  openUrl(url: string, instructions: string): void | Promise<void>;
  /** Asks for a code. Gives up, with `undefined`, when `signal` is aborted or nobody can answer. */
  askCode(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  progress(text: string): void;
};
export type LoginOptions = { way: Way; talk: LoginTalk; signal?: AbortSignal; fetch?: Fetch; timeoutMs?: number };
export type LoginResult =
  | { ok: true; data: LoginData }
  | { ok: false; reason: "denied" | "expired" | "state" | "aborted" | "refused" | "port"; message: string };

const TIMEOUT_MS = 10 * 60_000;
const REFUSED_STATE = "The code belongs to another login: begin again.";

/** One login from beginning to end. Always settles: by its outcome, the abort, or the time. Never rejects. */
export async function login(row: OAuthRow, options: LoginOptions): Promise<LoginResult> {
  const { way, talk, fetch = globalThis.fetch } = options;
  const time = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, time]) : time;
  const run = way === "device" ? loginByDevice(row, talk, fetch, signal) : loginByCode(row, way, talk, fetch, signal);
  const outcome = await Promise.race([run.catch(failed), ended(signal)]);
  if (outcome.ok || !signal.aborted) return outcome;
  if (options.signal?.aborted) return { ok: false, reason: "aborted", message: "The login was given up." };
  return { ok: false, reason: "expired", message: "Nobody logged in, and the time is over: begin again." };
}

async function loginByCode(
  row: OAuthRow,
  way: Way,
  talk: LoginTalk,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<LoginResult> {
  const { authorize } = row;
  if (!authorize) return { ok: false, reason: "refused", message: `${row.name} has no login in a browser.` };
  const state = randomBytes(24).toString("base64url");
  const verifier = randomBytes(48).toString("base64url");
  const { port, path } = authorize;
  const fixed = { redirectUri: `http://localhost:${port}${path}`, brought: undefined, close: () => {} };
  const callback = way === "paste" ? fixed : await listenForCallback({ port, path, state }).catch(() => undefined);
  if (!callback)
    return { ok: false, reason: "port", message: `Port ${port} is taken by another program. Try: --way paste` };
  const done = new AbortController();
  try {
    const code = await Promise.race([
      (async () => {
        await talk.openUrl(authorizeUrl(row, callback.redirectUri, state, verifier), instructionsFor(way));
        return codeFrom(callback, state, talk, AbortSignal.any([signal, done.signal]));
      })(),
      ended(signal),
    ]);
    if ("ok" in code) return code;
    talk.progress("Fetching the tokens …");
    return await exchange(row, { code: code.code, state, verifier, redirectUri: callback.redirectUri }, fetch, signal);
  } finally {
    done.abort();
    callback.close();
  }
}

function instructionsFor(way: Way): string {
  return way === "paste"
    ? "Log in in any browser. It ends at an address that does not open: paste that address here."
    : "Log in in the browser. If it is on another machine, paste the address at which it ends.";
}

function authorizeUrl(row: OAuthRow, redirectUri: string, state: string, verifier: string): string {
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

/** The first that comes: the browser, or what the person pastes. That nobody can paste does not end the wait for it. */
async function codeFrom(
  callback: Callback | { brought: undefined },
  state: string,
  talk: LoginTalk,
  signal: AbortSignal,
): Promise<Code> {
  const pasted = talk
    .askCode("Code or address", signal)
    .then((text) => (text?.trim() ? parsePasted(text, state) : undefined));
  const { brought } = callback;
  if (!brought) return (await pasted) ?? { ok: false, reason: "refused", message: "No code was given." };
  const fromBrowser = brought.then((result): Code => ("code" in result ? result : denied(result.denied)));
  return Promise.race([fromBrowser, pasted.then((code) => code ?? fromBrowser)]);
}

function denied(why: string): Code {
  return { ok: false, reason: "denied", message: `The login was refused: ${why.slice(0, 300)}` };
}

/** An address with `code` and `state`, `code#state`, or the code alone. */
function parsePasted(text: string, state: string): Code {
  const given = text.trim();
  const url = URL.parse(given);
  const fields = url?.searchParams ?? (given.includes("code=") ? new URLSearchParams(given) : undefined);
  const error = fields?.get("error");
  if (error) return denied(fields?.get("error_description") || error);
  const [code = "", theirs] = fields ? [fields.get("code") ?? "", fields.get("state") ?? undefined] : given.split("#");
  if (theirs !== undefined && !same(theirs, state)) return { ok: false, reason: "state", message: REFUSED_STATE };
  return code ? { code } : { ok: false, reason: "refused", message: "There is no code in what was pasted." };
}

type Exchange = { code: string; state: string; verifier: string; redirectUri: string };

async function exchange(row: OAuthRow, given: Exchange, fetch: Fetch, signal: AbortSignal): Promise<LoginResult> {
  const fields = {
    grant_type: "authorization_code",
    code: given.code,
    redirect_uri: given.redirectUri,
    code_verifier: given.verifier,
    ...(row.authorize?.stateWithCode ? { state: given.state } : {}),
  };
  const asked = await tokensFor(row, fields, fetch, signal);
  if (!asked.ok) return { ok: false, reason: "refused", message: asked.message };
  const made = await loginOf(row, asked.answer, fetch, signal);
  return made.ok ? made : { ok: false, reason: "refused", message: made.message };
}

function failed(error: unknown): LoginResult {
  return { ok: false, reason: "refused", message: error instanceof Error ? error.message : String(error) };
}

function ended(signal: AbortSignal): Promise<LoginResult> {
  const { promise, resolve } = Promise.withResolvers<LoginResult>();
  const end = () => resolve({ ok: false, reason: "aborted", message: "" });
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
}
