import { z } from "zod";

/** An agent's id of a conversation. It is passed to the agent's program, so it must not look like a flag or a path. */
export const ConversationId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,199}$/, "must be an agent's own id of a conversation");

/** A conversation that the agent stores on disk, started by Gantry or not. */
export const Conversation = z.object({
  /** The agent's id of it; `resume` of a new session takes it. */
  id: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  updatedAt: z.iso.datetime().optional(),
  /** Where it runs and in what state, if not on this machine: `cloud, running`. */
  where: z.string().optional(),
  /** The first prompt of a session that resumes it, to show what it is doing there. */
  follow: z.string().optional(),
});

export type Conversation = z.infer<typeof Conversation>;

/** `complete` is false if the agent has more than the requested number. */
export const ConversationList = z.object({ conversations: z.array(Conversation), complete: z.boolean() });

export type ConversationList = z.infer<typeof ConversationList>;
