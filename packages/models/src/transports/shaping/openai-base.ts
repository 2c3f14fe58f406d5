import type { Model } from "../../model.ts";

/** Local servers and OpenAI's own host are often named without the version that their paths begin with. */
const UNVERSIONED = new Set(["ollama", "llama.cpp", "lm-studio", "openai"]);

export function openaiBase(model: Model): string {
  const base = model.baseUrl || "https://api.openai.com/v1";
  if (!UNVERSIONED.has(model.provider) || !URL.canParse(base)) return base;
  return new URL(base).pathname === "/" ? `${base.replace(/\/+$/, "")}/v1` : base;
}
