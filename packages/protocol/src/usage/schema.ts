import { z } from "zod";

/** Tokens of a turn. `input` includes what was read from or written to the provider's cache. */
export const Usage = z.object({
  input: z.number().int(),
  output: z.number().int(),
  cacheRead: z.number().int().default(0),
  cacheWrite: z.number().int().default(0),
  reasoning: z.number().int().default(0),
});

export type Usage = z.infer<typeof Usage>;

/** What a session may cost, in US dollars. */
export const Budget = z.strictObject({ usd: z.number().positive().max(1_000_000) });

export type Budget = z.infer<typeof Budget>;

/** `source` says whose figure it is: the agent's own, or ours from list prices. */
export const Cost = z.object({ usd: z.number(), source: z.enum(["agent", "list"]) });

export type Cost = z.infer<typeof Cost>;

export const UsageRow = z.object({
  agent: z.string().optional(),
  model: z.string().optional(),
  day: z.string().optional(),
  session: z.string().optional(),
  lane: z.string().optional(),
  turn: z.string().optional(),
  turns: z.number().int(),
  usage: Usage,
  /** `agent`: by the agents' own figures; `list`: what Gantry computed from list prices. */
  cost: z.object({ usd: z.number(), agent: z.number(), list: z.number() }),
  /** Turns that took tokens and of which nobody knows what they cost: `cost` is without them. */
  unpriced: z.number().int().optional(),
});

export type UsageRow = z.infer<typeof UsageRow>;
