import { type CredentialStore, rememberSecret } from "@gantry/models";
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";

/** What is kept of a login at a server. `url`: for this address and no other, whatever a file calls it tomorrow. */
export type McpLogin = { url: string; tokens?: StoredOAuthTokens; client?: StoredOAuthClientInformation };

/** Where logins are kept. A login that cannot be read is none. */
export type McpLogins = {
  read(server: string, url: string): Promise<McpLogin | undefined>;
  write(server: string, login: McpLogin): Promise<void>;
  close(): void;
};

const Kept = z.object({ url: z.string(), tokens: z.looseObject({}).optional(), client: z.looseObject({}).optional() });
const IDENTITY = "login";

/** In the store of credentials, sealed as all of it is. The store is opened when it is needed. */
export function storedLogins(open: () => CredentialStore): McpLogins {
  let store: CredentialStore | undefined;
  const opened = () => {
    store ??= open();
    return store;
  };
  return {
    async read(server, url) {
      const row = opened()
        .rows()
        .find(({ provider, type }) => provider === providerOf(server) && type === "oauth");
      const data = row && (await opened().open(row.id));
      if (data?.type !== "oauth" || data.state === undefined) return undefined;
      for (const secret of [data.access, data.refresh]) rememberSecret(secret);
      const kept = Kept.safeParse(JSON.parse(data.state));
      return kept.success && kept.data.url === url ? (kept.data as McpLogin) : undefined;
    },
    async write(server, login) {
      const { access_token = "", refresh_token = "", expires_in } = login.tokens ?? {};
      for (const secret of [access_token, refresh_token]) rememberSecret(secret);
      const expires = Date.now() + (expires_in ?? 0) * 1000;
      const state = JSON.stringify(login);
      const data = { type: "oauth" as const, access: access_token, refresh: refresh_token, expires, state };
      await opened().put(providerOf(server), data, IDENTITY);
    },
    close: () => store?.close(),
  };
}

function providerOf(server: string): string {
  return `mcp:${server}`;
}

export type LoginParts = {
  server: { name: string; url: string; oauth?: { clientId: string; clientSecret?: string; scope?: string } };
  logins: McpLogins;
  redirectUrl?: string;
  state?: string;
  redirect?(url: URL): void;
};

/** Nobody comes back where nobody logs in; without an address a client is taken for one that needs no person. */
const NOWHERE = "http://localhost/callback";

/** What the client needs to be somebody at a server. Everything is read anew: other processes log in too. */
export function loginProvider({
  server,
  logins,
  redirectUrl = NOWHERE,
  state,
  redirect,
}: LoginParts): OAuthClientProvider {
  const { name, url, oauth } = server;
  let verifier = "";
  const change = async (part: Partial<McpLogin>) =>
    logins.write(name, { ...(await logins.read(name, url)), url, ...part });
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Gantry",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: oauth?.clientSecret ? "client_secret_post" : "none",
      ...(oauth?.scope ? { scope: oauth.scope } : {}),
    },
    ...(state === undefined ? {} : { state: () => state }),
    async clientInformation() {
      if (!oauth) return (await logins.read(name, url))?.client;
      return { client_id: oauth.clientId, ...(oauth.clientSecret ? { client_secret: oauth.clientSecret } : {}) };
    },
    saveClientInformation: (client) => change({ client }),
    tokens: async () => (await logins.read(name, url))?.tokens,
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization: (where) => redirect?.(where),
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(what) {
      if (what === "all" || what === "tokens") await logins.write(name, { url });
    },
  };
}
