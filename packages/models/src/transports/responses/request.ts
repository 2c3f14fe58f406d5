import type { Model } from "../../model.ts";
import type { ModelRequest, ToolSpec } from "../../stream.ts";
import { asArray, asObject, type Json } from "../json.ts";
import { strictTool } from "../schema/strict.ts";
import { compact, wireId, withExtras } from "../shaping/body.ts";
import { configuredRetention } from "../shaping/cache.ts";
import { detectCompat, type ResolvedCompat } from "../shaping/compat.ts";
import { effortOf, leastEffort } from "../shaping/thinking.ts";
import { isForced, supportedChoice } from "../shaping/tool-choice.ts";
import { readSetting } from "../transport.ts";
import { responseInput } from "./input.ts";

/** The body of a Responses request. */
export function responseBody(model: Model, request: ModelRequest): Json {
  const compat = responsesCompat(model);
  const { choice, tools } = supportedChoice(compat, request.toolChoice, request.tools);
  const role = model.reasoning && compat.supportsDeveloperRole ? "developer" : "system";
  const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
  const lead = system ? [{ role, content: system }] : [];
  const noThinking =
    (isForced(choice) && compat.disableReasoningOnForcedToolChoice) ||
    (choice !== undefined && compat.disableReasoningOnToolChoice);
  const body = compact({
    model: wireId(model),
    input: [...lead, ...responseInput(request.messages, model, role)],
    stream: true,
    store: compat.supportsStore ? false : undefined,
    max_output_tokens: request.maxTokens ?? (model.maxTokens || undefined),
    temperature: model.reasoning ? undefined : request.temperature,
    top_p: model.reasoning ? undefined : request.topP,
    tools: tools.length > 0 ? tools.map((tool) => toolField(tool, request, compat)) : undefined,
    tool_choice: typeof choice === "object" ? { type: "function", name: choice.name } : choice,
    prompt_cache_key: request.sessionId?.slice(0, 64),
    prompt_cache_retention: configuredRetention(model, request) === "long" ? "24h" : undefined,
    ...reasoningFields(model, request, compat, noThinking),
  });
  return withExtras(body, model, compat.extraBody);
}

/** Endpoints with OpenAI's own format support its fields unless configured otherwise. */
function responsesCompat(model: Model): ResolvedCompat {
  const detected = detectCompat(model);
  return {
    ...detected,
    supportsStore: model.compat?.supportsStore ?? true,
    supportsDeveloperRole: model.compat?.supportsDeveloperRole ?? true,
    supportsStrictMode: model.compat?.supportsStrictMode ?? true,
    supportsReasoningEffort: model.compat?.supportsReasoningEffort ?? true,
  };
}

export function reasoningFields(
  model: Model,
  request: ModelRequest,
  compat: ResolvedCompat,
  noThinking: boolean,
): Json {
  if (!model.reasoning) return {};
  const include = ["reasoning.encrypted_content"];
  if (!compat.supportsReasoningEffort) return { include };
  const effort = noThinking ? undefined : effortOf(model, request.thinking);
  if (effort) return { include, reasoning: { effort: compat.reasoningEffortMap[effort] ?? effort, summary: "auto" } };
  return { include, reasoning: { effort: offEffort(model) } };
}

/** Older models cannot disable thinking; they get the lowest effort. */
function offEffort(model: Model): string {
  return /gpt-5\.[1-9]/.test(model.id) ? "none" : leastEffort(model);
}

export function toolField(tool: ToolSpec, request: ModelRequest, compat: ResolvedCompat): Json {
  const off = readSetting(request, "GANTRY_NO_STRICT") !== undefined || compat.toolStrictMode === "none";
  const requested =
    !off && compat.supportsStrictMode && (compat.toolStrictMode === "all_strict" || tool.strict === true);
  const { parameters, strict } = strictTool(tool, requested);
  const { name, description } = tool;
  const flag = compat.supportsStrictMode ? { strict } : {};
  return { type: "function", name, description, parameters: withoutOneOf(parameters), ...flag };
}

/** The Responses API supports `anyOf` but not `oneOf`. */
function withoutOneOf(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const name = key === "oneOf" && !("anyOf" in schema) ? "anyOf" : key;
      if (Array.isArray(value)) return [name, asArray(value).map(rewriteNested)];
      return [name, rewriteNested(value)];
    }),
  );
}

function rewriteNested(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? withoutOneOf(asObject(value)) : value;
}
