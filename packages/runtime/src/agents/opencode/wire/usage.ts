import type { Usage } from "@gantry/protocol";
import { count, type Fields, fields } from "../../fields.ts";

/** Usage of a step. OpenCode counts cache and reasoning separately from input and output. */
export function stepUsage(tokens: Fields): Usage {
  const cache = fields(tokens.cache);
  const [cacheRead, cacheWrite, reasoning] = [count(cache.read), count(cache.write), count(tokens.reasoning)];
  return {
    input: count(tokens.input) + cacheRead + cacheWrite,
    output: count(tokens.output) + reasoning,
    cacheRead,
    cacheWrite,
    reasoning,
  };
}
