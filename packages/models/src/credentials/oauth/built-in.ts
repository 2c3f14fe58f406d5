import type { Environment } from "../environment.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

const anthropic: OAuthProvider = {
  provider: "anthropic",
  name: "Claude Pro and Max",
  clientId: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
  scopes: [
    "org:create_api_key",
    "user:profile",
    "user:inference",
    "user:sessions:claude_code",
    "user:mcp_servers",
    "user:file_upload",
  ],
  tokenUrl: "https://platform.claude.com/v1/oauth/token",
  body: "json",
  authorize: {
    url: "https://claude.ai/oauth/authorize",
    port: 53692,
    path: "/callback",
    extra: { code: "true" },
    stateWithCode: true,
  },
  describe: ({ account }) => ({ email: textField(account, "email_address"), accountId: textField(account, "uuid") }),
};

const codex: OAuthProvider = {
  provider: "openai-codex",
  name: "ChatGPT Plus and Pro",
  clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
  scopes: ["openid", "profile", "email", "offline_access"],
  tokenUrl: "https://auth.openai.com/oauth/token",
  body: "form",
  authorize: {
    url: "https://auth.openai.com/oauth/authorize",
    port: 1455,
    path: "/auth/callback",
    extra: { id_token_add_organizations: "true", codex_cli_simplified_flow: "true", originator: "gantry" },
  },
  describe: ({ access_token, id_token }) => ({
    accountId: textField(claimsOf(access_token)["https://api.openai.com/auth"], "chatgpt_account_id"),
    email: textField(claimsOf(id_token), "email"),
  }),
};

const copilotHeaders = {
  "User-Agent": "GitHubCopilotChat/0.35.0",
  "Editor-Version": "vscode/1.107.0",
  "Editor-Plugin-Version": "copilot-chat/0.35.0",
  "Copilot-Integration-Id": "vscode-chat",
};
const copilot: OAuthProvider = {
  provider: "github-copilot",
  name: "GitHub Copilot",
  clientId: "Iv1.b507a08c87ecfe98",
  scopes: ["read:user"],
  tokenUrl: "https://github.com/login/oauth/access_token",
  body: "form",
  device: { url: "https://github.com/login/device/code" },
  trade: { url: "https://api.github.com/copilot_internal/v2/token", headers: copilotHeaders },
  headers: { "User-Agent": copilotHeaders["User-Agent"] },
};

const xai: OAuthProvider = {
  provider: "xai",
  name: "SuperGrok and X Premium",
  clientId: "b1a00492-073a-47ea-816f-4c329264a828",
  scopes: ["openid", "profile", "email", "offline_access", "grok-cli:access", "api:access"],
  tokenUrl: "https://auth.x.ai/oauth2/token",
  body: "form",
  device: { url: "https://auth.x.ai/oauth2/device/code" },
  describe: ({ id_token }) => ({ email: textField(claimsOf(id_token), "email") }),
};

/**
 * Google requires a separate OAuth client per program. The user supplies one through the environment. Cloud Code Assist
 * and Google's own API have separate logins, because an account may have access to one of them only.
 */
function google(env: Environment, provider: string, name: string): OAuthProvider | undefined {
  const { GANTRY_GOOGLE_CLIENT_ID: clientId, GANTRY_GOOGLE_CLIENT_SECRET: clientSecret } = env;
  if (!clientId) return undefined;
  return {
    provider,
    name,
    clientId,
    ...(clientSecret ? { clientSecret } : {}),
    scopes: ["openid", "email", "https://www.googleapis.com/auth/cloud-platform"],
    tokenUrl: "https://oauth2.googleapis.com/token",
    body: "form",
    authorize: {
      url: "https://accounts.google.com/o/oauth2/v2/auth",
      port: 0,
      path: "/callback",
      extra: { access_type: "offline", prompt: "consent" },
    },
    describe: ({ id_token }) => ({
      email: textField(claimsOf(id_token), "email"),
      ...(env.GOOGLE_CLOUD_PROJECT ? { projectId: env.GOOGLE_CLOUD_PROJECT } : {}),
    }),
  };
}

export function oauthProviders(env: Environment): OAuthProvider[] {
  const codeAssist = google(env, "google-gemini-cli", "Google Cloud Code Assist (Gemini CLI)");
  return [anthropic, codex, copilot, google(env, "google", "Google"), codeAssist, xai].filter(
    (row) => row !== undefined,
  );
}

/** Reads a token's claims without checking its signature: it came from its issuer over TLS, and grants nothing here. */
function claimsOf(token: unknown): Record<string, unknown> {
  try {
    const [, payload = ""] = String(token).split(".");
    const value: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textField(value: unknown, name: string): string | undefined {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === "string" && found !== "" ? found : undefined;
}
