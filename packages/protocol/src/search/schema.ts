import { z } from "zod";
import { SessionId } from "../ids/schema.ts";

export const SearchHit = z.object({
  session: SessionId,
  title: z.string(),
  seq: z.number().int(),
  at: z.string(),
  type: z.string(),
  /** The context of the match; matches are between `[` and `]`. */
  snippet: z.string(),
});

export type SearchHit = z.infer<typeof SearchHit>;

/** What a hit can be restricted to. */
export const searchKinds = ["user", "agent", "tool", "other"] as const;
export type SearchKind = (typeof searchKinds)[number];
