import { z } from "zod";

/** Tokens of a turn. `input` includes cache reads and cache writes. */
export const Usage = z.object({
  input: z.number().int(),
  output: z.number().int(),
  cacheRead: z.number().int().default(0),
  cacheWrite: z.number().int().default(0),
  reasoning: z.number().int().default(0),
});

export type Usage = z.infer<typeof Usage>;

/** The cost limit of a session, in US dollars. */
export const Budget = z.strictObject({ usd: z.number().positive().max(1_000_000) });

export type Budget = z.infer<typeof Budget>;

/** `agent`: reported by the agent. `list`: computed from list prices. */
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
  /** `agent`: reported by agents. `list`: computed from list prices. */
  cost: z.object({ usd: z.number(), agent: z.number(), list: z.number() }),
  /** The number of turns with tokens but without a known cost; `cost` does not include them. */
  unpriced: z.number().int().optional(),
  /** The time from the start of a turn to its first output: the median, and the number of turns that had one. Absent without any. */
  ttftMs: z.object({ median: z.number().int(), turns: z.number().int() }).optional(),
});

export type UsageRow = z.infer<typeof UsageRow>;
