import { z } from "zod";
import { planEvents } from "../events/work.ts";
import { TurnId } from "../ids/schema.ts";
import { Session } from "../sessions/schema.ts";

/** The files at a moment. Checkpoints exist before and after each turn; `exact` is false inside of a turn. */
export const PastCheckpoint = z.object({
  /** Accepted as `from` and `to` of `changes`. */
  commit: z.string(),
  turn: TurnId,
  side: z.enum(["before", "after"]),
  exact: z.boolean(),
});

export type PastCheckpoint = z.infer<typeof PastCheckpoint>;

/** A session as it was after an event: the fold of its log up to there. `lastSeq` is the number of that event. */
export const PastSession = Session.extend({
  moment: z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.string(),
    /** The turn that runs at the event, else the last one before it. */
    turn: TurnId.optional(),
    /** The number of the log's last event. */
    end: z.number().int(),
  }),
  /** The last plan that the agent published. */
  plan: planEvents["plan.updated"].optional(),
  /** Absent before the first checkpoint, in a folder without git, and after the checkpoint has expired. */
  checkpoint: PastCheckpoint.optional(),
});

export type PastSession = z.infer<typeof PastSession>;
