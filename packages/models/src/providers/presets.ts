import type { ProviderConfig } from "../config/schema.ts";

type Preset = { provider: string; config: ProviderConfig };

const MINIMAX = {
  api: "openai-completions",
  compat: {
    supportsStore: false,
    supportsDeveloperRole: false,
    supportsMultipleSystemMessages: false,
    supportsReasoningEffort: false,
    reasoningContentField: "reasoning_content",
  },
  models: [{ id: "MiniMax-M2.5", reasoning: true, contextWindow: 204_800, maxTokens: 131_072 }],
} as const satisfies Partial<Record<keyof ProviderConfig, unknown>>;

const GLM: Preset = {
  provider: "glm-proxy",
  config: {
    baseUrl: "https://api.z.ai/api/paas/v4",
    apiKeyEnv: "ZAI_API_KEY",
    api: "openai-completions",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
    models: [{ id: "glm-4.6", reasoning: true, contextWindow: 200_000, maxTokens: 131_072 }],
  },
};

/** Complete settings of providers that users often add. They name the key's variable and never contain a key. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  minimax: preset("minimax-code", "https://api.minimax.io/v1", "MINIMAX_CODE_API_KEY"),
  "minimax-cn": preset("minimax-code-cn", "https://api.minimaxi.com/v1", "MINIMAX_CODE_CN_API_KEY"),
  glm: GLM,
  zai: GLM,
  "z-ai": GLM,
};

function preset(provider: string, baseUrl: string, apiKeyEnv: string): Preset {
  const { compat, models, api } = MINIMAX;
  return { provider, config: { baseUrl, apiKeyEnv, api, compat: { ...compat }, models: [...models] } };
}
