import { z } from "zod";
import { LimitId, SessionId } from "./ids.ts";

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

type Told = Pick<SessionLimit, "provider" | "resetsAt" | "nextTryAt" | "autoResume" | "source" | "window" | "text">;

/** A limit in a few words, such as `limited until 14:05, resumes by itself`. */
export function limitWords(limit: Told, now: Date = new Date()): string {
  if (limit.source === "budget") return `budget of the ${limit.window ?? "session"} used up`;
  const until = limit.resetsAt ?? limit.nextTryAt;
  const when = until === undefined ? "" : ` until ${clock(new Date(until), now)}`;
  return `limited${when}, ${limit.autoResume ? "resumes by itself" : "stays parked"}`;
}

/** The time of day, with the date when that is another. */
function clock(at: Date, now: Date): string {
  const time = `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${day} ${time}`;
}
