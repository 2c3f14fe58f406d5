import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";

/** Fields of the conversation. Extra fields must not replace them. */
const CORE = new Set([
  ...["model", "modelId", "messages", "input", "contents", "prompt", "stream", "system", "instructions"],
  ...["systemInstruction", "tools", "tool_choice", "toolConfig", "project", "request"],
]);

/** Adds extra fields to a body: those of the model's compat, then those of its transform. Never replaces core fields. */
export function withExtras(body: Json, model: Model, compatExtras?: Json): Json {
  return { ...body, ...withoutCore(compatExtras), ...withoutCore(model.requestTransform?.extraBody) };
}

function withoutCore(extra: Json | undefined): Json {
  return Object.fromEntries(Object.entries(extra ?? {}).filter(([key]) => !CORE.has(key)));
}

/** Removes undefined fields. */
export function compact(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The model id to send. */
export function wireId(model: Model): string {
  return model.wireModelId ?? model.id;
}

/** Joins a URL and a path with exactly one slash. */
export function join(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}

/** Providers whose base URL is often configured without the version segment. */
const UNVERSIONED = new Set(["ollama", "llama.cpp", "lm-studio", "openai"]);

export function openaiBase(model: Model): string {
  const base = model.baseUrl || "https://api.openai.com/v1";
  if (!UNVERSIONED.has(model.provider) || !URL.canParse(base)) return base;
  return new URL(base).pathname === "/" ? `${base.replace(/\/+$/, "")}/v1` : base;
}
