import { type CredentialStore, type Credentials, openLocalStore } from "@gantry/models";
import { SessionError } from "../contract/session.ts";
import type { ExtensionProviders } from "../extensions/providers/providers.ts";
import type { LoginProvider, RpcServices } from "../rpc/handlers.ts";

type CredentialData = Parameters<CredentialStore["put"]>[1];
type Environment = Record<string, string | undefined>;

/** Logins for hosts. The browser may run on another machine, so the redirect address can always be pasted. */
export function loginServices(
  env: Environment,
  agentDir: string,
  credentials: Credentials,
  extensions?: Pick<ExtensionProviders, "logins" | "login">,
): Required<Pick<RpcServices, "login" | "loginProviders">> {
  return {
    async loginProviders() {
      const { oauthProviders } = await import("@gantry/models/oauth");
      const known = oauthProviders(env).map(({ provider, name }) => ({ id: provider, name }));
      const added = (extensions?.logins() ?? []).map((id) => ({ id, name: id }));
      return [...known, ...added].map(
        (one): LoginProvider => ({ ...one, available: true, authenticated: credentials.has(one.id) }),
      );
    },
    async login(providerId, steps) {
      if (extensions?.logins().includes(providerId)) {
        const key = await extensions.login(providerId, steps.signal).catch((error: Error) => {
          throw new SessionError(error.message);
        });
        return await storeCredential(env, agentDir, providerId, { type: "api_key", key });
      }
      const { login, loginMethods, oauthProviders } = await import("@gantry/models/oauth");
      const row = oauthProviders(env).find(({ provider }) => provider === providerId);
      const [way] = row ? loginMethods(row) : [];
      if (!row || !way) throw new SessionError(`Unknown OAuth provider: ${providerId}`);
      const talk = { openUrl: steps.openUrl, askCode: steps.code, progress: steps.progress };
      const result = await login(row, { method: way, ui: talk, signal: steps.signal });
      if (!result.ok) throw new SessionError(result.message);
      await storeCredential(env, agentDir, providerId, result.data);
    },
  };
}

async function storeCredential(env: Environment, agentDir: string, provider: string, data: CredentialData) {
  const store = openLocalStore(env, agentDir);
  try {
    await store.put(provider, data);
  } finally {
    store.close();
  }
}
