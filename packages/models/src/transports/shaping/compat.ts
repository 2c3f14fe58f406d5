import type { Compat, Model } from "../../model.ts";

/** A compat with all fields resolved. */
export type ResolvedCompat = Required<Omit<Compat, "openRouterRouting" | "vercelGatewayRouting" | "toolStrictMode">> &
  Pick<Compat, "openRouterRouting" | "vercelGatewayRouting" | "toolStrictMode">;

type Vendor = { is: (...names: string[]) => boolean; id: string; reasoning: boolean };

/** Vendors by host suffix, for providers with user-defined names. */
const HOSTS: readonly (readonly [string, string])[] = [
  ["api.openai.com", "openai"],
  ["openrouter.ai", "openrouter"],
  ["ai-gateway.vercel.sh", "vercel-ai-gateway"],
  ["api.mistral.ai", "mistral"],
  ["cerebras.ai", "cerebras"],
  ["api.x.ai", "xai"],
  ["chutes.ai", "chutes"],
  ["deepseek.com", "deepseek"],
  ["fireworks.ai", "fireworks"],
  ["aliyuncs.com", "alibaba"],
  ["api.z.ai", "zai"],
  ["bigmodel.cn", "zai"],
  ["kilo.ai", "kilo"],
  ["qwen.ai", "qwen"],
  ["opencode.ai", "opencode"],
  ["minimax.io", "minimax"],
  ["minimaxi.com", "minimax"],
  ["groq.com", "groq"],
  ["together.xyz", "together"],
  ["together.ai", "together"],
  ["githubcopilot.com", "github-copilot"],
  ["zenmux.ai", "zenmux"],
  ["openai.azure.com", "azure"],
  ["cognitiveservices.azure.com", "azure"],
  ["moonshot.ai", "kimi"],
  ["moonshot.cn", "kimi"],
  ["kimi.com", "kimi"],
];
const NON_STANDARD = [
  ...["cerebras", "xai", "mistral", "chutes", "deepseek", "fireworks", "alibaba", "zai", "kilo", "qwen", "opencode"],
  ...["minimax", "kimi"],
];
const MANY_SYSTEM_BLOCKS = [
  ...[
    "openai",
    "openrouter",
    "azure",
    "github-copilot",
    "vercel-ai-gateway",
    "groq",
    "together",
    "mistral",
    "cerebras",
  ],
  ...["xai", "deepseek", "fireworks", "zai", "kimi", "chutes", "zenmux"],
];
const STRICT = ["openai", "openrouter", "cerebras", "together", "github-copilot", "zenmux", "azure", "deepseek"];

/** Resolves the deviations of a model's endpoint from OpenAI: its compat, else detected from provider and URL. */
export function detectCompat(
  model: Pick<Model, "provider" | "baseUrl" | "id" | "reasoning" | "compat">,
): ResolvedCompat {
  const vendor = vendorOf(model);
  const detected = detect(vendor);
  const configured = Object.fromEntries(Object.entries(model.compat ?? {}).filter(([, value]) => value !== undefined));
  return {
    ...detected,
    ...configured,
    reasoningEffortMap: { ...detected.reasoningEffortMap, ...model.compat?.reasoningEffortMap },
    extraBody: { ...detected.extraBody, ...model.compat?.extraBody },
  };
}

/** Whether the URL belongs to the vendor. */
export function isHostOf(baseUrl: string, vendor: string): boolean {
  const host = hostOf(baseUrl);
  return HOSTS.some(([end, name]) => name === vendor && (host === end || host.endsWith(`.${end}`)));
}

function detect({ is, id, reasoning }: Vendor): ResolvedCompat {
  const standard = !is(...NON_STANDARD);
  const mistral = is("mistral");
  const kimi = is("kimi") || /\bkimi\b|moonshot/.test(id);
  const deepseek = is("deepseek");
  const thinker = /deepseek.*(reason|r1|v[3-9]|v\d{2})/.test(id) || (deepseek && reasoning);
  const replays = kimi || (thinker && reasoning) || (is("openrouter") && reasoning);
  return {
    supportsStore: standard && is("openai", "azure"),
    supportsDeveloperRole: standard && is("openai", "azure", "github-copilot"),
    supportsMultipleSystemMessages: is(...MANY_SYSTEM_BLOCKS) && !/minimax/.test(id),
    supportsUsageInStreaming: !is("cerebras"),
    supportsReasoningEffort: !is("xai", "zai") && !/\bgrok\b/.test(id),
    reasoningEffortMap: effortMap({ is, id, reasoning }),
    maxTokensField: is("mistral", "chutes", "fireworks", "deepseek") ? "max_tokens" : "max_completion_tokens",
    supportsToolChoice: !(deepseek && reasoning),
    supportsForcedToolChoice: true,
    toolChoiceSupport: "named",
    disableReasoningOnForcedToolChoice: kimi || /anthropic|claude/.test(id),
    disableReasoningOnToolChoice: false,
    thinkingFormat: is("openrouter") ? "openrouter" : is("zai") ? "zai" : is("alibaba", "qwen") ? "qwen" : "openai",
    reasoningContentField: is("openrouter", "groq") ? "reasoning" : "reasoning_content",
    requiresReasoningContentForToolCalls: replays,
    allowsSyntheticReasoningContentForToolCalls: !thinker,
    requiresAssistantContentForToolCalls: kimi,
    requiresToolResultName: mistral,
    requiresAssistantAfterToolResult: mistral,
    requiresThinkingAsText: mistral,
    requiresMistralToolIds: mistral,
    supportsStrictMode: is(...STRICT),
    ...(is("cerebras") ? { toolStrictMode: "all_strict" as const } : {}),
    extraBody: deepseek && reasoning ? { thinking: { type: "enabled" } } : {},
  };
}

function effortMap({ is, id }: Vendor): NonNullable<Compat["reasoningEffortMap"]> {
  if (is("deepseek") || /^deepseek/.test(id)) {
    return { minimal: "high", low: "high", medium: "high", high: "high", xhigh: "max", max: "max" };
  }
  if (is("groq") && /qwen3-32b/.test(id)) {
    const same = "default";
    return { minimal: same, low: same, medium: same, high: same, xhigh: same, max: same };
  }
  return is("fireworks") ? { minimal: "none" } : {};
}

function vendorOf({
  provider,
  baseUrl,
  id,
  reasoning,
}: Pick<Model, "provider" | "baseUrl" | "id" | "reasoning">): Vendor {
  const host = hostOf(baseUrl);
  const names = HOSTS.filter(([end]) => host === end || host.endsWith(`.${end}`)).map(([, name]) => name);
  const providerName = provider.toLowerCase();
  const is = (...vendors: string[]) =>
    vendors.some(
      (name) =>
        names.includes(name) || (names.length === 0 && (providerName === name || providerName.startsWith(`${name}-`))),
    );
  return { is, id: id.toLowerCase(), reasoning };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : "";
}
