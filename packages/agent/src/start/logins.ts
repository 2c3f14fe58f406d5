import { type Credentials, openLocalStore } from "@gantry/models";
import { SessionError } from "../contract/session.ts";
import type { LoginProvider, RpcServices } from "../rpc/handlers.ts";

type Environment = Record<string, string | undefined>;

/** Logins for hosts. The browser may run on another machine, so the redirect address can always be pasted. */
export function loginServices(
  env: Environment,
  agentDir: string,
  credentials: Credentials,
): Required<Pick<RpcServices, "login" | "loginProviders">> {
  return {
    async loginProviders() {
      const { oauthProviders } = await import("@gantry/models/oauth");
      return oauthProviders(env).map(
        ({ provider, name }): LoginProvider => ({
          id: provider,
          name,
          available: true,
          authenticated: credentials.has(provider),
        }),
      );
    },
    async login(providerId, steps) {
      const { login, loginMethods, oauthProviders } = await import("@gantry/models/oauth");
      const row = oauthProviders(env).find(({ provider }) => provider === providerId);
      const [way] = row ? loginMethods(row) : [];
      if (!row || !way) throw new SessionError(`Unknown OAuth provider: ${providerId}`);
      const talk = { openUrl: steps.openUrl, askCode: steps.code, progress: steps.progress };
      const result = await login(row, { method: way, ui: talk, signal: steps.signal });
      if (!result.ok) throw new SessionError(result.message);
      const store = openLocalStore(env, agentDir);
      try {
        await store.put(providerId, result.data);
      } finally {
        store.close();
      }
    },
  };
}
