import { noUsage, type Usage } from "@gantry/protocol";
import { type Fields, fields, list, nonBlank, wholeNumber } from "../../fields.ts";

/**
 * Token usage in any known shape; `undefined` if absent. Agents differ in whether `inputTokens` includes cached tokens
 * and `outputTokens` includes thoughts; the total decides.
 */
export function readUsage(value: unknown): Usage | undefined {
  const tokens = fields(value);
  const [input, output] = [
    wholeNumber(tokens.inputTokens ?? tokens.input_tokens),
    wholeNumber(tokens.outputTokens ?? tokens.output_tokens),
  ];
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = wholeNumber(tokens.cachedReadTokens ?? tokens.cachedInputTokens) ?? 0;
  const cacheWrite = wholeNumber(tokens.cachedWriteTokens ?? tokens.cacheWriteInputTokens) ?? 0;
  const reasoning = wholeNumber(tokens.thoughtTokens ?? tokens.reasoningOutputTokens ?? tokens.reasoningTokens) ?? 0;
  const total = wholeNumber(tokens.totalTokens);
  const fresh = input ?? 0;
  const apart = total !== undefined && total > fresh + (output ?? 0) + reasoning;
  const all = apart ? fresh + cacheRead + cacheWrite : fresh;
  return {
    input: all,
    output: Math.max(output ?? 0, (total ?? 0) - all),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

/** The usage of a turn: the standard field, or `_meta.quota` or `_meta.usage` as in several agents. */
export function turnUsage(result: Fields): Usage | undefined {
  const meta = fields(result._meta);
  return readUsage(result.usage) ?? readUsage(fields(meta.quota).token_count) ?? readUsage(meta.usage);
}

/** The model that served the turn, if reported. */
export function servedModel(result: Fields): string | undefined {
  const [first] = list(fields(fields(result._meta).quota).model_usage);
  return nonBlank(fields(first).model);
}

/** The usage since `before`. A smaller total means that the agent restarted, so it counts from zero. */
export function usedSince(total: Usage, before: Usage = noUsage): Usage {
  if (total.input < before.input) return total;
  const tokensSince = (key: keyof Usage) => Math.max(0, total[key] - before[key]);
  return {
    input: tokensSince("input"),
    output: tokensSince("output"),
    cacheRead: tokensSince("cacheRead"),
    cacheWrite: tokensSince("cacheWrite"),
    reasoning: tokensSince("reasoning"),
  };
}
