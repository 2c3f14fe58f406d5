import type { Model } from "../model.ts";
import type { Resolved } from "../registry-port.ts";

/** The default model of each provider, preferred providers first. */
export const DEFAULT_MODELS: readonly [provider: string, id: string][] = [
  ["anthropic", "claude-opus-5-5"],
  ["openai-codex", "gpt-6-sol"],
  ["openai", "gpt-6-sol"],
  ["google", "gemini-3.8-flash"],
  ["github-copilot", "gpt-6-sol"],
  ["xai", "grok-4.7"],
  ["zai", "glm-5.3"],
  ["moonshotai", "kimi-k3"],
  ["kimi-coding", "kimi-for-coding"],
  ["deepseek", "deepseek-v4-pro"],
  ["minimax", "MiniMax-M3"],
  ["xiaomi", "mimo-v2.6-pro"],
  ["mistral", "devstral-latest"],
  ["openrouter", "anthropic/claude-opus-5.5"],
  ["vercel-ai-gateway", "anthropic/claude-opus-5.5"],
  ["opencode", "claude-opus-5-5"],
  ["opencode-go", "kimi-k3"],
  ["amazon-bedrock", "us.anthropic.claude-opus-5-5"],
  ["google-vertex", "gemini-3.8-flash"],
  ["groq", "openai/gpt-oss-120b"],
  ["cerebras", "gpt-oss-120b"],
];

export type InitialParts = {
  /** The requested model, already resolved. `undefined`: none was requested. */
  selected?: Resolved | undefined;
  /** The first available model of the scope. */
  scoped?: Resolved | undefined;
  saved?: Resolved | undefined;
  available: readonly Model[];
  find(provider: string, id: string): Model | undefined;
};

/** Picks, in this order: the requested, scoped or saved model, the default of an available provider, any available model. */
export function pickInitial({ selected, scoped, saved, available, find }: InitialParts): Resolved | undefined {
  if (selected) return selected;
  if (scoped) return scoped;
  if (saved) return saved;
  const ready = new Set(available);
  for (const [provider, id] of DEFAULT_MODELS) {
    const model = find(provider, id);
    if (model && ready.has(model)) return { model, why: [`It is the default model of ${provider}; none was chosen.`] };
  }
  const [any] = available;
  return any && { model: any, why: ["It is the first available model; none was chosen."] };
}
