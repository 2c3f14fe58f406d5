import type { Usage } from "../messages.ts";
import type { Cost, Prices } from "../model.ts";

/** Token counts of a provider. `input` excludes cache reads and writes. */
export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number; reasoning?: number };

const MILLION = 1_000_000;

export function usageOf(tokens: Tokens, prices: Cost): Usage {
  const { input, output, cacheRead, cacheWrite, reasoning } = tokens;
  const price = tierOf(prices, input + cacheRead + cacheWrite);
  const cost = {
    input: (input * price.input) / MILLION,
    output: (output * price.output) / MILLION,
    cacheRead: (cacheRead * price.cacheRead) / MILLION,
    cacheWrite: (cacheWrite * price.cacheWrite) / MILLION,
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

/** Cache reads and writes count towards the length of a request. */
function tierOf(cost: Cost, read: number): Prices {
  const above = (cost.tiers ?? []).filter(({ inputTokensAbove }) => read > inputTokensAbove);
  return above.toSorted((a, b) => b.inputTokensAbove - a.inputTokensAbove)[0] ?? cost;
}
