import { z } from "zod";
import { ItemId, SessionId } from "../ids/schema.ts";

export const DeltaChannel = z.enum(["text", "reasoning", "input", "output"]);

export type DeltaChannel = z.infer<typeof DeltaChannel>;

/** A chunk of an open item. `offset` is the length of the preceding text, in UTF-16 units. */
export const Delta = z.object({
  type: z.literal("delta"),
  session: SessionId,
  item: ItemId,
  channel: DeltaChannel,
  offset: z.number().int(),
  text: z.string(),
});

export type Delta = z.infer<typeof Delta>;

/** The current activity of the agent, as a short label. */
export const Activity = z.object({
  type: z.literal("activity"),
  session: SessionId,
  state: z.string(),
  detail: z.string().optional(),
});

export type Activity = z.infer<typeof Activity>;

/** The agent retries a request. */
export const Retry = z.object({
  type: z.literal("retry"),
  session: SessionId,
  attempt: z.number().int().optional(),
  max: z.number().int().optional(),
  delayMs: z.number().optional(),
  reason: z.string(),
});

export type Retry = z.infer<typeof Retry>;

/** The session and its log were deleted. Sent to subscribers of all sessions; a subscriber of this one sees its stream end. */
export const Removed = z.object({ type: z.literal("removed"), session: SessionId });

export type Removed = z.infer<typeof Removed>;

/** Frames that are not in the log. Correctness never depends on them. */
export const LiveFrame = z.discriminatedUnion("type", [Delta, Activity, Retry, Removed]);

export type LiveFrame = z.infer<typeof LiveFrame>;

export const OpenItem = z.object({ item: ItemId, channel: DeltaChannel, text: z.string(), length: z.number().int() });

export type OpenItem = z.infer<typeof OpenItem>;

/** Sent once after the replay: the open items with their text so far. */
export const Snapshot = z.object({
  type: z.literal("snapshot"),
  session: SessionId,
  lastSeq: z.number().int(),
  open: z.array(OpenItem),
});

export type Snapshot = z.infer<typeof Snapshot>;

/** A range of the log that is no longer available. */
export const Gap = z.object({
  type: z.literal("gap"),
  session: SessionId,
  from: z.number().int(),
  to: z.number().int(),
});

export type Gap = z.infer<typeof Gap>;
