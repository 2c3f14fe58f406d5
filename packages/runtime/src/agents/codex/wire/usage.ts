import type { Usage } from "@gantry/protocol";
import { count, type Fields } from "../../fields.ts";

/** Token counts of the app-server (camel case) or of `exec` (snake case). Cached tokens are part of the input. */
export function readUsage(tokens: Fields): Usage {
  return {
    input: count(tokens.inputTokens ?? tokens.input_tokens),
    output: count(tokens.outputTokens ?? tokens.output_tokens),
    cacheRead: count(tokens.cachedInputTokens ?? tokens.cached_input_tokens),
    cacheWrite: count(tokens.cacheWriteInputTokens ?? tokens.cache_write_input_tokens),
    reasoning: count(tokens.reasoningOutputTokens ?? tokens.reasoning_output_tokens),
  };
}

/** The usage since `before`; zero if the total shrank because the history was cut. */
export function usedSince(total: Usage, before: Usage): Usage {
  const tokensSince = (key: keyof Usage) => Math.max(0, total[key] - before[key]);
  return {
    input: tokensSince("input"),
    output: tokensSince("output"),
    cacheRead: tokensSince("cacheRead"),
    cacheWrite: tokensSince("cacheWrite"),
    reasoning: tokensSince("reasoning"),
  };
}
