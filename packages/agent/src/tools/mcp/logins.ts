import { type CredentialStore, rememberSecret } from "@gantry/models";
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";

/** A stored login at a server. It is valid only for `url`, even if a file later uses the server's name for another address. */
export type McpLogin = { url: string; tokens?: StoredOAuthTokens; client?: StoredOAuthClientInformation };

/** The store of logins. An unreadable login counts as missing. */
export type McpLogins = {
  read(server: string, url: string): Promise<McpLogin | undefined>;
  write(server: string, login: McpLogin): Promise<void>;
  close(): void;
};

const StoredLogin = z.object({
  url: z.string(),
  tokens: z.looseObject({}).optional(),
  client: z.looseObject({}).optional(),
});
const IDENTITY = "login";

/** Stores logins in the encrypted credential store, which is opened on demand. */
export function storedLogins(open: () => CredentialStore): McpLogins {
  let store: CredentialStore | undefined;
  const openStore = () => {
    store ??= open();
    return store;
  };
  return {
    async read(server, url) {
      const row = openStore()
        .rows()
        .find(({ provider, type }) => provider === providerOf(server) && type === "oauth");
      const data = row && (await openStore().open(row.id));
      if (data?.type !== "oauth" || data.state === undefined) return undefined;
      for (const secret of [data.access, data.refresh]) rememberSecret(secret);
      const login = StoredLogin.safeParse(JSON.parse(data.state));
      return login.success && login.data.url === url ? (login.data as McpLogin) : undefined;
    },
    async write(server, login) {
      const { access_token = "", refresh_token = "", expires_in } = login.tokens ?? {};
      for (const secret of [access_token, refresh_token]) rememberSecret(secret);
      const expires = Date.now() + (expires_in ?? 0) * 1000;
      const state = JSON.stringify(login);
      const data = { type: "oauth" as const, access: access_token, refresh: refresh_token, expires, state };
      await openStore().put(providerOf(server), data, IDENTITY);
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

/** Never visited. Without a redirect address the SDK would treat the client as one that needs no person. */
const NOWHERE = "http://localhost/callback";

/** The client's OAuth state for one server. Always read from the store, because other processes log in too. */
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
