import { z } from "zod";

/** An agent's own id of a conversation: it goes to the agent's program as it is, and so must not look like a flag or a path. */
export const ConversationId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,199}$/, "must be an agent's own id of a conversation");

/** A conversation that an agent keeps on disk by itself, whoever began it. */
export const Conversation = z.object({
  /** The agent's own id: what `resume` of a new session takes. */
  id: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  updatedAt: z.iso.datetime().optional(),
});

export type Conversation = z.infer<typeof Conversation>;

/** `complete` is false when the agent has more of them than were asked for. */
export const ConversationList = z.object({ conversations: z.array(Conversation), complete: z.boolean() });

export type ConversationList = z.infer<typeof ConversationList>;
