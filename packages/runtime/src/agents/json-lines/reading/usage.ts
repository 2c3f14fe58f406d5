import type { Usage } from "@gantry/protocol";
import { count, type Fields } from "../../fields.ts";

/** Known names of the token counts, in order of preference. */
const names = {
  input: ["input_tokens", "inputTokens", "input"],
  output: ["output_tokens", "outputTokens", "output"],
  cacheRead: ["cache_read_input_tokens", "cacheReadTokens", "cacheRead", "cached"],
  cacheWrite: ["cache_creation_input_tokens", "cacheCreationTokens", "cacheWriteTokens", "cacheWrite"],
  reasoning: ["reasoning", "reasoningTokens", "thinkingTokens", "thinking_tokens"],
} as const;

/** Token counts under any known name. `apart`: cached tokens are not included in the input count. */
export function readUsage(tokens: Fields, apart: boolean): Usage {
  const readCount = (key: keyof typeof names) => count(tokens[names[key].find((name) => name in tokens) ?? ""]);
  const usage = {
    input: readCount("input"),
    output: readCount("output"),
    cacheRead: readCount("cacheRead"),
    cacheWrite: readCount("cacheWrite"),
    reasoning: readCount("reasoning"),
  };
  return apart ? { ...usage, input: usage.input + usage.cacheRead + usage.cacheWrite } : usage;
}

/** Token counts of a message. The total shows whether the input includes cached tokens. */
export function messageUsage(tokens: Fields): Usage {
  const within = count(tokens.input_tokens) + count(tokens.output_tokens);
  return readUsage(tokens, tokens.total_tokens === undefined || count(tokens.total_tokens) > within);
}

export function isUsed(usage: Usage): boolean {
  return Object.values(usage).some((tokens) => tokens > 0);
}
