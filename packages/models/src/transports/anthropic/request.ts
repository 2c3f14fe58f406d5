import type { Effort, Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { asObject, asObjects, type Json } from "../json.ts";
import { compact, wireId, withExtras } from "../shaping/body.ts";
import { retentionOf } from "../shaping/cache.ts";
import { budgetOf, effortOf } from "../shaping/thinking.ts";
import { isForced } from "../shaping/tool-choice.ts";
import { anthropicMessages } from "./messages.ts";
import { anthropicTools } from "./tools.ts";

const DEFAULT_TOKENS = 8192;
const INTERLEAVED = "interleaved-thinking-2025-05-14";

/** The body of a Messages request. */
export function anthropicBody(model: Model, request: ModelRequest): Json {
  const cache = cacheMark(model, request);
  const forced = isForced(request.toolChoice) && request.tools.length > 0;
  const messages = anthropicMessages(request.messages, model);
  // Anthropic rejects thinking with a forced tool, and in a round of calls that started without thinking.
  const noThinking = forced || (usesBudget(model) && startedWithoutThinking(messages));
  const effort = noThinking ? undefined : effortOf(model, request.thinking);
  const requestedTokens = request.maxTokens ?? (model.maxTokens || DEFAULT_TOKENS);
  const { fields, maxTokens } = claudeThinking(model, effort, requestedTokens);
  const body = compact({
    model: wireId(model),
    max_tokens: maxTokens,
    stream: true,
    system: systemBlocks(request, cache),
    messages: withCacheMark(messages, cache),
    tools: anthropicTools(model, request, cache),
    tool_choice: choiceField(request),
    temperature: effort ? undefined : request.temperature,
    top_p: effort ? undefined : request.topP,
    ...fields,
  });
  return withExtras(body, model, model.compat?.extraBody);
}

/** Whether the conversation ends with results of calls that were made without thinking. */
function startedWithoutThinking(messages: Json[]): boolean {
  const results = asObjects(messages.at(-1)?.content).some((block) => block.type === "tool_result");
  const [first] = asObjects(messages.at(-2)?.content);
  return results && first?.type !== "thinking" && first?.type !== "redacted_thinking";
}

/** The beta features that the request needs. */
export function anthropicBetas(model: Model, request: ModelRequest): string[] {
  const budget = usesBudget(model) && effortOf(model, request.thinking) !== undefined;
  return [
    ...(request.credential.kind === "oauth" ? ["oauth-2025-04-20"] : []),
    ...(budget ? [INTERLEAVED] : []),
    ...(model.thinking?.mode === "anthropic-budget-effort" && budget ? ["effort-2025-11-24"] : []),
  ];
}

function usesBudget(model: Model): boolean {
  const mode = model.thinking?.mode;
  return mode !== "anthropic-adaptive" && mode !== "effort";
}

/** The thinking fields for Claude, with the matching token limit. */
export function claudeThinking(
  model: Model,
  effort: Effort | undefined,
  requestedTokens: number,
): { fields: Json; maxTokens: number } {
  const adaptive = !usesBudget(model);
  if (!effort)
    return {
      fields: adaptive && model.reasoning ? { thinking: { type: "disabled" } } : {},
      maxTokens: requestedTokens,
    };
  const outputConfig = { effort: effort === "minimal" ? "low" : effort };
  if (adaptive) {
    return {
      fields: { thinking: { type: "adaptive", display: "summarized" }, output_config: outputConfig },
      maxTokens: requestedTokens,
    };
  }
  const { budget, maxTokens } = budgetOf(model, effort, requestedTokens);
  const thinking = { type: "enabled", budget_tokens: budget };
  const both = model.thinking?.mode === "anthropic-budget-effort";
  return { fields: both ? { thinking, output_config: outputConfig } : { thinking }, maxTokens };
}

function cacheMark(model: Model, request: ModelRequest): Json | undefined {
  const retention = retentionOf(model, request);
  if (retention === "none") return undefined;
  return retention === "long" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

function systemBlocks(request: ModelRequest, cache: Json | undefined): Json[] | undefined {
  const blocks: Json[] = request.system.filter((text) => text.trim() !== "").map((text) => ({ type: "text", text }));
  const last = blocks.at(-1);
  if (last && cache) last.cache_control = cache;
  return blocks.length > 0 ? blocks : undefined;
}

/** Marks the end of the conversation, so that the next request can read up to here from the cache. */
function withCacheMark(messages: Json[], cache: Json | undefined): Json[] {
  const last = messages.findLast((message) => message.role === "user");
  const block = Array.isArray(last?.content) ? asObject(last.content.at(-1)) : undefined;
  if (block && cache) block.cache_control = cache;
  return messages;
}

function choiceField({ toolChoice, tools }: ModelRequest): Json | undefined {
  if (toolChoice === undefined || tools.length === 0) return undefined;
  if (typeof toolChoice === "object") return { type: "tool", name: toolChoice.name };
  return { type: toolChoice === "required" ? "any" : toolChoice };
}
