import { z } from "zod";
import { once } from "../once.ts";
import type { CredentialData } from "./stored-credential.ts";

export type ImportedCredential = { provider: string; data: CredentialData };

/** Names that other programs use for providers. */
const PROVIDERS: Record<string, string> = {
  claude: "anthropic",
  codex: "openai-codex",
  copilot: "github-copilot",
  gemini: "google",
  "gemini-cli": "google-gemini-cli",
  grok: "xai",
};

const Time = () => z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);

/** A file with one login, the format of subscription proxies. */
const ProxyLogin = once(() =>
  z.object({
    type: z.string().min(1),
    access_token: z.string().min(1),
    refresh_token: z.string().default(""),
    expired: Time().optional(),
    email: z.string().optional(),
    account_id: z.string().optional(),
    disabled: z.boolean().default(false),
  }),
);

/** A file with all credentials by provider, the format of coding agents. */
const Entry = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("api_key"), key: z.string().min(1) }),
    z.object({
      type: z.literal("oauth"),
      access: z.string().min(1),
      refresh: z.string(),
      expires: z.number(),
      accountId: z.string().optional(),
      projectId: z.string().optional(),
      email: z.string().optional(),
    }),
  ]),
);
const ByProvider = once(() => z.record(z.string().min(1), z.union([Entry(), z.array(Entry())])));

/** Gemini CLI's own file, `~/.gemini/oauth_creds.json`. */
const GeminiLogin = once(() =>
  z.object({ access_token: z.string().min(1), refresh_token: z.string().default(""), expiry_date: z.number() }),
);

/** Reads the credentials from another program's file. `undefined`: the format is unknown. Pure. */
export function readCredentials(text: string): ImportedCredential[] | undefined {
  const value = parseJson(text);
  const login = ProxyLogin().safeParse(value);
  if (login.success) return login.data.disabled ? [] : [fromProxyLogin(login.data)];
  const gemini = GeminiLogin().safeParse(value);
  if (gemini.success) {
    const { access_token: access, refresh_token: refresh, expiry_date: expires } = gemini.data;
    return [{ provider: "google-gemini-cli", data: { type: "oauth", access, refresh, expires } }];
  }
  const all = ByProvider().safeParse(value);
  if (!all.success || Object.keys(all.data).length === 0) return undefined;
  return Object.entries(all.data).flatMap(([provider, entries]) =>
    [entries].flat().map((data) => ({ provider: PROVIDERS[provider] ?? provider, data: data as CredentialData })),
  );
}

function fromProxyLogin(login: z.infer<ReturnType<typeof ProxyLogin>>): ImportedCredential {
  const { type, access_token, refresh_token, expired = 0, email, account_id } = login;
  return {
    provider: PROVIDERS[type] ?? type,
    data: {
      type: "oauth",
      access: access_token,
      refresh: refresh_token,
      // Without an expiry time the token counts as expired, so it is refreshed before use.
      expires: expired,
      ...(email ? { email } : {}),
      ...(account_id ? { accountId: account_id } : {}),
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
