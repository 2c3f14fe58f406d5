import { z } from "zod";
import { AbsolutePath } from "../files/schema.ts";
import { AgentId, SessionId } from "../ids/schema.ts";

/** A conversation that an agent has written to disk by itself, as far as the head of its file tells. */
export const PastConversation = z.object({
  agent: AgentId,
  /** The agent's own id of it. */
  id: z.string(),
  /** The file or database that holds it. */
  path: z.string(),
  cwd: z.string().optional(),
  title: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime(),
  /** How many messages it holds, where that is known without reading it all. */
  messages: z.number().int().optional(),
  bytes: z.number().int(),
  /** The session that holds it already: imported before, or begun by Gantry itself. */
  imported: SessionId.optional(),
});

export type PastConversation = z.infer<typeof PastConversation>;

export const PastConversationList = z.object({
  conversations: z.array(PastConversation),
  /** False when there are more of them than were asked for. */
  complete: z.boolean(),
  /** Agents whose folders could not be read, with the reason. */
  problems: z.array(z.object({ agent: AgentId, message: z.string() })),
});

export type PastConversationList = z.infer<typeof PastConversationList>;

/** How far an import is, in bytes of what it reads. */
export const ImportProgress = z.object({ done: z.number().int(), total: z.number().int() });

export type ImportProgress = z.infer<typeof ImportProgress>;

export const ImportConversation = z.strictObject({
  agent: AgentId,
  /** The agent's own id of the conversation, or the path of its file below the agent's own folders. */
  conversation: z.string().min(1).max(4096),
  /** The folder to go on in; by default the one that it was begun in. */
  cwd: AbsolutePath.optional(),
  /** Take in what was added to the conversation since it was imported. */
  again: z.boolean().optional(),
});

export type ImportConversation = z.infer<typeof ImportConversation>;

export const exportFormats = ["gantry", "html", "md", "jsonl"] as const;

export const ExportFormat = z.enum(exportFormats);

export type ExportFormat = z.infer<typeof ExportFormat>;
