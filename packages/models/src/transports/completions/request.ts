import type { Effort, Model } from "../../model.ts";
import type { ModelRequest, ToolSpec } from "../../stream.ts";
import type { Json } from "../json.ts";
import { strictTool } from "../schema/strict.ts";
import { compact, wireId, withExtras } from "../shaping/body.ts";
import { configuredRetention } from "../shaping/cache.ts";
import { detectCompat, isHostOf, type ResolvedCompat } from "../shaping/compat.ts";
import { budgetOf, effortOf } from "../shaping/thinking.ts";
import { isForced, supportedChoice } from "../shaping/tool-choice.ts";
import { readSetting } from "../transport.ts";
import { completionMessages } from "./messages.ts";

/** The body of a Chat Completions request. */
export function completionBody(model: Model, request: ModelRequest): Json {
  const compat = detectCompat(model);
  const { choice, tools } = supportedChoice(compat, request.toolChoice, request.tools);
  const noThinking =
    (isForced(choice) && compat.disableReasoningOnForcedToolChoice) ||
    (choice !== undefined && compat.disableReasoningOnToolChoice);
  const effort = noThinking ? undefined : effortOf(model, request.thinking);
  const maxTokens = request.maxTokens ?? model.maxTokens;
  const body = compact({
    model: wireId(model),
    messages: completionMessages(model, request, compat),
    stream: true,
    stream_options: compat.supportsUsageInStreaming ? { include_usage: true } : undefined,
    store: compat.supportsStore ? false : undefined,
    [compat.maxTokensField]: maxTokens > 0 ? maxTokens : undefined,
    temperature: request.temperature,
    top_p: request.topP,
    tools: toolsField(tools, request, compat),
    tool_choice: typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice,
    ...cacheFields(model, request),
    ...thinkingFields(model, effort, compat, maxTokens),
    ...routingFields(model, compat),
  });
  return withExtras(body, model, noThinking ? omitKey(compat.extraBody, "thinking") : compat.extraBody);
}

function omitKey(extra: Json, key: string): Json {
  const { [key]: _gone, ...rest } = extra;
  return rest;
}

/** Some endpoints reject a conversation with tool results if `tools` is missing, so an empty list is sent. */
function toolsField(tools: readonly ToolSpec[], request: ModelRequest, compat: ResolvedCompat): Json[] | undefined {
  if (tools.length > 0) return tools.map((tool) => toolField(tool, request, compat));
  return request.messages.some((message) => message.role === "toolResult") && request.tools.length === 0
    ? []
    : undefined;
}

function toolField(tool: ToolSpec, request: ModelRequest, compat: ResolvedCompat): Json {
  const { name, description } = tool;
  const off = readSetting(request, "GANTRY_NO_STRICT") !== undefined || compat.toolStrictMode === "none";
  const requested =
    !off && compat.supportsStrictMode && (compat.toolStrictMode === "all_strict" || tool.strict === true);
  const { parameters, strict } = strictTool(tool, requested);
  const flag = compat.supportsStrictMode && !off ? { strict } : {};
  return { type: "function", function: { name, description, parameters, ...flag } };
}

function cacheFields(model: Model, request: ModelRequest): Json {
  if (!isHostOf(model.baseUrl, "openai")) return {};
  const retention = configuredRetention(model, request);
  return {
    prompt_cache_key: request.sessionId?.slice(0, 64),
    prompt_cache_retention: retention === "long" ? "24h" : undefined,
  };
}

function thinkingFields(model: Model, effort: Effort | undefined, compat: ResolvedCompat, maxTokens: number): Json {
  if (!model.reasoning) return {};
  const effortName = effort && (compat.reasoningEffortMap[effort] ?? effort);
  const budget = effort && model.thinking?.mode === "budget" ? budgetOf(model, effort, maxTokens).budget : undefined;
  switch (compat.thinkingFormat) {
    case "openrouter":
      if (!effort) return { reasoning: { enabled: false } };
      return { reasoning: budget ? { max_tokens: budget } : { effort: effortName } };
    case "zai":
      return { thinking: { type: effort ? "enabled" : "disabled" } };
    case "qwen":
      return { enable_thinking: effort !== undefined, thinking_budget: budget };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: effort !== undefined } };
    default:
      return { reasoning_effort: compat.supportsReasoningEffort ? effortName : undefined };
  }
}

/** Routing preferences, sent only to gateways that choose among vendors. */
function routingFields(model: Model, compat: ResolvedCompat): Json {
  const { openRouterRouting, vercelGatewayRouting } = compat;
  const fields: Json = {};
  if (openRouterRouting && isGateway(model, "openrouter")) fields.provider = compact({ ...openRouterRouting });
  if (vercelGatewayRouting && isGateway(model, "vercel-ai-gateway")) {
    fields.providerOptions = { gateway: compact({ ...vercelGatewayRouting }) };
  }
  return fields;
}

function isGateway(model: Model, gateway: string): boolean {
  return isHostOf(model.baseUrl, gateway) || model.provider === gateway;
}
