import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Credential } from "../stream.ts";

export type Environment = Record<string, string | undefined>;

/** The folder of Gantry's own agent: GANTRY_AGENT_DIR, or `agent` in GANTRY_HOME (default `~/.gantry`). */
export function agentFolder(env: Environment): string {
  if (env.GANTRY_AGENT_DIR) return resolve(env.GANTRY_AGENT_DIR);
  return join(gantryFolder(env), "agent");
}

/** GANTRY_HOME, or `~/.gantry`. */
export function gantryFolder(env: Environment): string {
  return env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(env.HOME || homedir(), ".gantry");
}

/** The environment variables that may hold each provider's key, in order of precedence. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "amazon-bedrock": ["AWS_BEARER_TOKEN_BEDROCK"],
  "ant-ling": ["ANT_LING_API_KEY"],
  anthropic: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
  "azure-openai-responses": ["AZURE_OPENAI_API_KEY"],
  baseten: ["BASETEN_API_KEY"],
  cerebras: ["CEREBRAS_API_KEY"],
  "cloudflare-ai-gateway": ["CLOUDFLARE_API_KEY"],
  "cloudflare-workers-ai": ["CLOUDFLARE_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  fireworks: ["FIREWORKS_API_KEY"],
  "github-copilot": ["COPILOT_GITHUB_TOKEN"],
  google: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  "google-vertex": ["GOOGLE_CLOUD_API_KEY"],
  groq: ["GROQ_API_KEY"],
  huggingface: ["HF_TOKEN"],
  "kimi-coding": ["KIMI_API_KEY"],
  meta: ["META_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
  "minimax-cn": ["MINIMAX_CN_API_KEY"],
  "minimax-code": ["MINIMAX_CODE_API_KEY"],
  "minimax-code-cn": ["MINIMAX_CODE_CN_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  moonshotai: ["MOONSHOT_API_KEY"],
  "moonshotai-cn": ["MOONSHOT_API_KEY"],
  nvidia: ["NVIDIA_API_KEY"],
  "ollama-cloud": ["OLLAMA_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
  "opencode-go": ["OPENCODE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  "qwen-token-plan": ["QWEN_TOKEN_PLAN_API_KEY"],
  "qwen-token-plan-cn": ["QWEN_TOKEN_PLAN_CN_API_KEY"],
  "qwen-token-plan-individual": ["QWEN_TOKEN_PLAN_API_KEY"],
  radius: ["RADIUS_API_KEY"],
  together: ["TOGETHER_API_KEY"],
  "vercel-ai-gateway": ["AI_GATEWAY_API_KEY"],
  xai: ["XAI_API_KEY"],
  xiaomi: ["XIAOMI_API_KEY"],
  "xiaomi-token-plan-ams": ["XIAOMI_TOKEN_PLAN_AMS_API_KEY"],
  "xiaomi-token-plan-cn": ["XIAOMI_TOKEN_PLAN_CN_API_KEY"],
  "xiaomi-token-plan-sgp": ["XIAOMI_TOKEN_PLAN_SGP_API_KEY"],
  zai: ["ZAI_API_KEY"],
  "zai-coding-cn": ["ZAI_CODING_CN_API_KEY"],
};

/** Sent as `Authorization: Bearer`, like the token of a login. */
const BEARER = new Set(["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_OAUTH_TOKEN"]);

/** The credential that the environment supplies for a provider, with the variable or file it comes from. */
export function fromEnvironment(
  provider: string,
  env: Environment,
): { credential: Credential; source: string } | undefined {
  if (provider === "amazon-bedrock") return ambientCredential(awsSource(env));
  for (const name of Object.hasOwn(KEY_VARIABLES, provider) ? (KEY_VARIABLES[provider] ?? []) : []) {
    const value = env[name]?.trim();
    if (!value) continue;
    return {
      credential: BEARER.has(name) ? { kind: "oauth", token: value } : { kind: "key", key: value },
      source: name,
    };
  }
  return provider === "google-vertex" ? ambientCredential(vertexSource(env)) : undefined;
}

function ambientCredential(source: string | undefined) {
  return source === undefined ? undefined : { credential: { kind: "ambient" } as const, source };
}

function awsSource(env: Environment): string | undefined {
  for (const name of [
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_PROFILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
  ])
    if (env[name]) return name;
  if (env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY) return "AWS_ACCESS_KEY_ID";
  const file = env.AWS_SHARED_CREDENTIALS_FILE || join(env.HOME || homedir(), ".aws", "credentials");
  return existsSync(file) ? file : undefined;
}

/** A gcloud login is not enough: the endpoint's URL needs a project and a location. */
function vertexSource(env: Environment): string | undefined {
  if (!(env.GOOGLE_CLOUD_PROJECT || env.GCLOUD_PROJECT) || !env.GOOGLE_CLOUD_LOCATION) return undefined;
  const file =
    env.GOOGLE_APPLICATION_CREDENTIALS ||
    join(env.HOME || homedir(), ".config", "gcloud", "application_default_credentials.json");
  return existsSync(file) ? file : undefined;
}
