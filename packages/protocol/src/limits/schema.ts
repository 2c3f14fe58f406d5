import { z } from "zod";
import { LimitId, SessionId } from "../ids/schema.ts";

/** Why a session starts no turn: the data of the last `limit.reached`, and the start of the limit. */
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
  /** Whether the session resumes automatically. */
  autoResume: z.boolean(),
});

export type SessionLimit = z.infer<typeof SessionLimit>;

/**
 * An active limit of a provider account or a budget, as a circuit breaker. `open`: no turn starts until `nextTryAt`.
 * `half_open`: one session probes it, and the others wait for the result.
 */
export const LimitRow = z.object({
  id: LimitId,
  provider: z.string(),
  account: z.string().optional(),
  window: z.string().optional(),
  state: z.enum(["open", "half_open"]),
  since: z.iso.datetime(),
  /** As reported by the provider or the agent; absent if unknown. */
  resetsAt: z.iso.datetime().optional(),
  nextTryAt: z.iso.datetime().optional(),
  /** Whether it is retried automatically. */
  autoResume: z.boolean(),
  /** Sessions with a message that is held by this limit. */
  sessions: z.array(SessionId),
  source: z.string(),
  /** What a person can do, if that is not obvious. */
  text: z.string().optional(),
});

export type LimitRow = z.infer<typeof LimitRow>;
