import type { Effort, Model } from "../../model.ts";
import type { ModelRequest, ToolSpec } from "../../stream.ts";
import type { Json } from "../json.ts";
import { strictTool } from "../schema/strict.ts";
import { compact, wireId, withExtras } from "../shaping/body.ts";
import { statedRetention } from "../shaping/cache.ts";
import { detectCompat, isHostOf, type ResolvedCompat } from "../shaping/compat.ts";
import { budgetOf, effortOf } from "../shaping/thinking.ts";
import { grantChoice, isForced } from "../shaping/tool-choice.ts";
import { setting } from "../transport.ts";
import { completionMessages } from "./messages.ts";

/** The body of a Chat Completions request. */
export function completionBody(model: Model, request: ModelRequest): Json {
  const compat = detectCompat(model);
  const { choice, tools } = grantChoice(compat, request.toolChoice, request.tools);
  const silent =
    (isForced(choice) && compat.disableReasoningOnForcedToolChoice) ||
    (choice !== undefined && compat.disableReasoningOnToolChoice);
  const effort = silent ? undefined : effortOf(model, request.thinking);
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
    ...routing(model, compat),
  });
  return withExtras(body, model, silent ? without(compat.extraBody, "thinking") : compat.extraBody);
}

function without(extra: Json, key: string): Json {
  const { [key]: _gone, ...rest } = extra;
  return rest;
}

/** A conversation that has calls in it is refused by some endpoints when no tools are named, even none. */
function toolsField(tools: readonly ToolSpec[], request: ModelRequest, compat: ResolvedCompat): Json[] | undefined {
  if (tools.length > 0) return tools.map((tool) => toolField(tool, request, compat));
  return request.messages.some((message) => message.role === "toolResult") && request.tools.length === 0
    ? []
    : undefined;
}

function toolField(tool: ToolSpec, request: ModelRequest, compat: ResolvedCompat): Json {
  const { name, description } = tool;
  const off = setting(request, "GANTRY_NO_STRICT") !== undefined || compat.toolStrictMode === "none";
  const wanted = !off && compat.supportsStrictMode && (compat.toolStrictMode === "all_strict" || tool.strict === true);
  const { parameters, strict } = strictTool(tool, wanted);
  const flag = compat.supportsStrictMode && !off ? { strict } : {};
  return { type: "function", function: { name, description, parameters, ...flag } };
}

function cacheFields(model: Model, request: ModelRequest): Json {
  if (!isHostOf(model.baseUrl, "openai")) return {};
  const retention = statedRetention(model, request);
  return {
    prompt_cache_key: request.sessionId?.slice(0, 64),
    prompt_cache_retention: retention === "long" ? "24h" : undefined,
  };
}

function thinkingFields(model: Model, effort: Effort | undefined, compat: ResolvedCompat, maxTokens: number): Json {
  if (!model.reasoning) return {};
  const word = effort && (compat.reasoningEffortMap[effort] ?? effort);
  const budget = effort && model.thinking?.mode === "budget" ? budgetOf(model, effort, maxTokens).budget : undefined;
  switch (compat.thinkingFormat) {
    case "openrouter":
      if (!effort) return { reasoning: { enabled: false } };
      return { reasoning: budget ? { max_tokens: budget } : { effort: word } };
    case "zai":
      return { thinking: { type: effort ? "enabled" : "disabled" } };
    case "qwen":
      return { enable_thinking: effort !== undefined, thinking_budget: budget };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: effort !== undefined } };
    default:
      return { reasoning_effort: compat.supportsReasoningEffort ? word : undefined };
  }
}

/** Gateways choose among vendors; only they are told how. */
function routing(model: Model, compat: ResolvedCompat): Json {
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
