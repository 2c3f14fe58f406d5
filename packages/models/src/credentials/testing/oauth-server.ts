import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { OAuthProvider } from "../oauth/oauth-provider.ts";

type Fields = Record<string, string>;
type Reply = { status: number; body: unknown };

/** A fake OAuth server on loopback. Checks codes, PKCE and redirect URIs, and rotates refresh tokens. */
export type OAuthServer = {
  url: string;
  row(more?: Partial<OAuthProvider>): OAuthProvider;
  /** Plays the browser: opens the URL, logs in (or denies the login), and follows the redirect. */
  visit(url: string, options?: { deny?: boolean; state?: string }): Promise<{ status: number; back: string }>;
  /** Responses of the token endpoint to device codes, in order; after them it sends tokens. */
  device: { answers: Fields[]; interval: number; expiresIn: number };
  /** Responses to the next refreshes. */
  refreshes: Reply[];
  /** Lifetime of a token in seconds. */
  life: number;
  /** Duration of a refresh in milliseconds. */
  slow: number;
  asked: { grants: string[]; refreshed: number };
  close(): Promise<void>;
};

export async function startOAuthServer(): Promise<OAuthServer> {
  const grants = makeGrants(() => state);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const body = await text(request);
    const isJson = request.headers["content-type"] === "application/json";
    const fields: Fields = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    if (url.pathname === "/authorize") return response.writeHead(302, { Location: grants.authorize(url) }).end();
    const reply = url.pathname === "/device" ? { status: 200, body: deviceCode(state) } : await grants.grant(fields);
    response.writeHead(reply.status, { "Content-Type": "application/json" });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: OAuthServer = {
    url,
    device: { answers: [], interval: 0, expiresIn: 60 },
    refreshes: [],
    life: 3600,
    slow: 0,
    asked: { grants: [], refreshed: 0 },
    row: (more) => ({ ...testProvider(url), ...more }),
    visit,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

/** The authorization and token endpoints, with the codes and refresh tokens that they issued. */
function makeGrants(server: () => OAuthServer) {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const refreshTokens = new Set<string>(["first-refresh-token"]);
  const tokens = (): Reply => {
    const refresh = `refresh-${randomBytes(6).toString("hex")}`;
    refreshTokens.add(refresh);
    const access_token = `access-${randomBytes(6).toString("hex")}`;
    const account = { email_address: "me@example.com", uuid: "account-1" };
    return { status: 200, body: { access_token, refresh_token: refresh, expires_in: server().life, account } };
  };
  const byCode = ({ code = "", code_verifier = "", redirect_uri }: Fields): Reply => {
    const issued = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const isValid = issued && issued.challenge === challenge && issued.redirect === redirect_uri;
    return isValid ? tokens() : oauthError("invalid_grant");
  };
  const refresh = async ({ refresh_token = "" }: Fields): Promise<Reply> => {
    const state = server();
    state.asked.refreshed++;
    const planned = state.refreshes.shift();
    if (planned) return planned;
    // Invalidated before the response, like at providers that rotate: a second refresh with it is rejected.
    const isValid = refreshTokens.delete(refresh_token);
    if (state.slow) await new Promise((resolve) => setTimeout(resolve, state.slow));
    return isValid ? tokens() : oauthError("invalid_grant");
  };
  return {
    /** Logs in at once and returns the redirect. */
    authorize({ searchParams }: URL): string {
      const redirect = searchParams.get("redirect_uri") ?? "";
      const code = randomBytes(8).toString("hex");
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirect });
      const answer: Fields = searchParams.get("deny") ? { error: "access_denied" } : { code };
      const state = searchParams.get("other") ?? searchParams.get("state") ?? "";
      return `${redirect}?${new URLSearchParams({ ...answer, state })}`;
    },
    async grant(fields: Fields): Promise<Reply> {
      server().asked.grants.push(fields.grant_type ?? "");
      if (fields.client_id !== "client-1") return oauthError("invalid_client", 401);
      if (fields.grant_type === "authorization_code") return byCode(fields);
      if (fields.grant_type === "refresh_token") return refresh(fields);
      const next = server().device.answers.shift();
      return next ? { status: 400, body: next } : tokens();
    },
  };
}

function oauthError(error: string, status = 400): Reply {
  return { status, body: { error, error_description: `it is ${error}` } };
}

function testProvider(url: string): OAuthProvider {
  return {
    provider: "anthropic",
    name: "Test",
    clientId: "client-1",
    scopes: ["a", "b"],
    tokenUrl: `${url}/token`,
    body: "json",
    authorize: { url: `${url}/authorize`, port: 0, path: "/callback", stateWithCode: true },
    device: { url: `${url}/device` },
    describe: ({ account }) => ({ email: (account as { email_address?: string } | undefined)?.email_address }),
  };
}

const visit: OAuthServer["visit"] = async (address, options = {}) => {
  const there = new URL(address);
  if (options.deny) there.searchParams.set("deny", "1");
  if (options.state !== undefined) there.searchParams.set("other", options.state);
  const sent = await fetch(there, { redirect: "manual" });
  const back = sent.headers.get("location") ?? "";
  const { status } = await fetch(back);
  return { status, back };
};

function deviceCode({ device, url }: OAuthServer) {
  return {
    device_code: "device-1",
    user_code: "ABCD-1234",
    verification_uri: `${url}/activate`,
    interval: device.interval,
    expires_in: device.expiresIn,
  };
}
