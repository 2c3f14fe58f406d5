import { z } from "zod";
import { AbsolutePath } from "../files/schema.ts";
import { AgentId, SessionId } from "../ids/schema.ts";

/** A conversation in an agent's own files, read from the head of its file. */
export const PastConversation = z.object({
  agent: AgentId,
  /** The agent's id of it. */
  id: z.string(),
  /** The file or database that holds it. */
  path: z.string(),
  cwd: z.string().optional(),
  title: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime(),
  /** The number of messages, if known without reading the whole file. */
  messages: z.number().int().optional(),
  bytes: z.number().int(),
  /** The session that already has it: an earlier import, or a session of Gantry. */
  imported: SessionId.optional(),
});

export type PastConversation = z.infer<typeof PastConversation>;

export const PastConversationList = z.object({
  conversations: z.array(PastConversation),
  /** False if there are more than the requested number. */
  complete: z.boolean(),
  /** Agents whose folders cannot be read, with the reason. */
  problems: z.array(z.object({ agent: AgentId, message: z.string() })),
});

export type PastConversationList = z.infer<typeof PastConversationList>;

/** The progress of an import, in bytes read. */
export const ImportProgress = z.object({ done: z.number().int(), total: z.number().int() });

export type ImportProgress = z.infer<typeof ImportProgress>;

export const ImportConversation = z.strictObject({
  agent: AgentId,
  /** The agent's id of the conversation, or the path of its file in the agent's folders. */
  conversation: z.string().min(1).max(4096),
  /** The folder to continue in; the default is the conversation's folder. */
  cwd: AbsolutePath.optional(),
  /** Import what was added to the conversation since the last import. */
  again: z.boolean().optional(),
});

export type ImportConversation = z.infer<typeof ImportConversation>;

export const exportFormats = ["gantry", "html", "md", "jsonl"] as const;

export const ExportFormat = z.enum(exportFormats);

export type ExportFormat = z.infer<typeof ExportFormat>;
