import { z } from "zod";
import { LimitId, SessionId } from "../ids/schema.ts";

/** Why a session starts no turn: what `limit.reached` said last, and since when it holds. */
export const SessionLimit = z.object({
  provider: z.string(),
  account: z.string().optional(),
  window: z.string().optional(),
  resetsAt: z.iso.datetime().optional(),
  source: z.string().optional(),
  limit: LimitId.optional(),
  nextTryAt: z.iso.datetime().optional(),
  text: z.string().optional(),
  since: z.iso.datetime(),
  /** Does the session go on by itself? */
  autoResume: z.boolean(),
});

export type SessionLimit = z.infer<typeof SessionLimit>;

/**
 * A limit that holds now, of a provider's account or of a budget. `open`: no turn is started until `nextTryAt`.
 * `half_open`: one session tries, and the others wait for how it goes.
 */
export const LimitRow = z.object({
  id: LimitId,
  provider: z.string(),
  account: z.string().optional(),
  window: z.string().optional(),
  state: z.enum(["open", "half_open"]),
  since: z.iso.datetime(),
  /** As the provider or the agent said; absent: nobody said. */
  resetsAt: z.iso.datetime().optional(),
  nextTryAt: z.iso.datetime().optional(),
  /** Is it tried again without being told to? */
  autoResume: z.boolean(),
  /** Sessions with a message that waits for it. */
  sessions: z.array(SessionId),
  source: z.string(),
  /** What a person can do, where that is not plain. */
  text: z.string().optional(),
});

export type LimitRow = z.infer<typeof LimitRow>;
