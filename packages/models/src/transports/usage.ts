import type { Usage } from "../messages.ts";
import type { Cost } from "../model.ts";

/** Tokens as a provider counts them. `input` is without what was read from or written to a cache. */
export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number; reasoning?: number };

const MILLION = 1_000_000;

export function usageOf(tokens: Tokens, prices: Cost): Usage {
  const { input, output, cacheRead, cacheWrite, reasoning } = tokens;
  const cost = {
    input: (input * prices.input) / MILLION,
    output: (output * prices.output) / MILLION,
    cacheRead: (cacheRead * prices.cacheRead) / MILLION,
    cacheWrite: (cacheWrite * prices.cacheWrite) / MILLION,
  };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
  };
}
