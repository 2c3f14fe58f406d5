import { z } from "zod";
import { sessionGroups } from "./groups.ts";

/** Where a session belongs, and why. The same terms are on the board, in lists and in the terminal. */
export const SessionStatus = z.object({
  group: z.enum(sessionGroups),
  /** A short reason, for example `approval` or `until 15:58`. Absent: the group is enough. */
  reason: z.string().optional(),
  /** The reason in full: the request, the failure, the limit. */
  detail: z.string().optional(),
  failed: z.literal(true).optional(),
  /** Since when. */
  since: z.iso.datetime(),
  /** When it resumes, if that is known. */
  until: z.iso.datetime().optional(),
  /** What a person can do about a hold: try a limit again, or resume the queue. */
  remedy: z.enum(["try_now", "resume_queue"]).optional(),
});

export type SessionStatus = z.infer<typeof SessionStatus>;
