import { z } from "zod";

/** A large text that lives in the blob store: what it starts and ends with, and where the rest is. */
export const BlobRef = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int(),
  head: z.string(),
  tail: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

export const Text = z.union([z.string(), BlobRef]);
export type Text = z.infer<typeof Text>;

/** A file that goes with a message, inside the session's folder or the upload folder. */
export const Attachment = z.strictObject({
  path: z.string().max(4096).optional(),
  name: z.string().max(255).optional(),
  mime: z.string().max(100).optional(),
  /** Base64, for what is not on the daemon's disk. */
  data: z.string().max(15_000_000).optional(),
});
export type Attachment = z.infer<typeof Attachment>;

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
