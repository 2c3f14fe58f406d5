import type { Model } from "../model.ts";
import type { Resolved } from "../registry-port.ts";

/** What to take of each provider where nobody has said anything, best providers first. */
export const USUAL_MODELS: readonly [provider: string, id: string][] = [
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
  /** What was asked for, already looked up; `undefined`: nothing was asked for. */
  selected?: Resolved | undefined;
  /** The first of the scope that is ready. */
  scoped?: Resolved | undefined;
  saved?: Resolved | undefined;
  available: readonly Model[];
  find(provider: string, id: string): Model | undefined;
};

/** The first of these that there is: asked for, scoped, saved, usual for a provider that is ready, any that is ready. */
export function pickInitial({ selected, scoped, saved, available, find }: InitialParts): Resolved | undefined {
  if (selected) return selected;
  if (scoped) return scoped;
  if (saved) return saved;
  const ready = new Set(available);
  for (const [provider, id] of USUAL_MODELS) {
    const model = find(provider, id);
    if (model && ready.has(model))
      return { model, why: [`It is what is usual for ${provider}, and nothing was chosen.`] };
  }
  const [any] = available;
  return any && { model: any, why: ["It is the first model that is ready, and nothing was chosen."] };
}
