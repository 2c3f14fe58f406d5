import type { Effort, Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import type { Json } from "../json.ts";
import { googleParameters } from "../schema/google.ts";
import { compact, withExtras } from "../shaping/body.ts";
import { effortOf } from "../shaping/thinking.ts";
import { googleContents } from "./contents.ts";

const LEVELS: Record<Effort, string> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
const BUDGETS: Record<Effort, number> = {
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
/** The minimum budget of models that cannot disable thinking. */
const MIN_PRO_BUDGET = 128;
/** The maximum budget of models other than Pro. */
const MAX_FLASH_BUDGET = 24_576;

/** The body of a generateContent request, for Google AI Studio and Vertex AI. */
export function googleBody(model: Model, request: ModelRequest): Json {
  return withExtras(googleFields(model, request), model, model.compat?.extraBody);
}

/** The fields of a generateContent request, which all Google APIs share. */
export function googleFields(model: Model, request: ModelRequest): Json {
  const system = request.system.filter((text) => text.trim() !== "").map((text) => ({ text }));
  return compact({
    contents: googleContents(request.messages, model),
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    generationConfig: compact({
      maxOutputTokens: request.maxTokens ?? (model.maxTokens || undefined),
      temperature: request.temperature,
      topP: request.topP,
      thinkingConfig: thinkingConfig(model, request),
    }),
    ...toolFields(request),
  });
}

function thinkingConfig(model: Model, request: ModelRequest): Json | undefined {
  if (!model.reasoning) return undefined;
  const effort = effortOf(model, request.thinking);
  const byLevel = model.thinking ? model.thinking.mode === "google-level" : /gemini-(3|[4-9]|\d\d)/.test(model.id);
  const pro = /pro/.test(model.id);
  if (byLevel) {
    if (effort) return { includeThoughts: true, thinkingLevel: LEVELS[effort] };
    return { thinkingLevel: pro ? "LOW" : "MINIMAL" };
  }
  if (!effort) return { thinkingBudget: pro ? MIN_PRO_BUDGET : 0 };
  return { includeThoughts: true, thinkingBudget: pro ? BUDGETS[effort] : Math.min(BUDGETS[effort], MAX_FLASH_BUDGET) };
}

function toolFields({ tools, toolChoice }: ModelRequest): Json {
  if (tools.length === 0) return {};
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: googleParameters(parameters),
  }));
  const allowed = typeof toolChoice === "object" ? { allowedFunctionNames: [toolChoice.name] } : {};
  const mode = toolChoice === "none" ? "NONE" : toolChoice === undefined || toolChoice === "auto" ? "AUTO" : "ANY";
  const config = toolChoice === undefined ? {} : { toolConfig: { functionCallingConfig: { mode, ...allowed } } };
  return { tools: [{ functionDeclarations }], ...config };
}
