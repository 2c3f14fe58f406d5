import { z } from "zod";
import { type IdKind, idPrefixes } from "./formats.ts";

const idPattern = (kind: IdKind) => new RegExp(`^${idPrefixes[kind]}_[A-Za-z0-9_.:#-]{1,200}$`);

const idSchema = (kind: IdKind, what: string) =>
  z.string().regex(idPattern(kind), `must be ${what} id, ${idPrefixes[kind]}_…`);

export const SessionId = idSchema("session", "a session");

/** The number of an event in a path. */
export const EventNumber = z.string().regex(/^[1-9][0-9]{0,14}$/, "must be the number of an event");

export const TurnId = idSchema("turn", "a turn");

export const ItemId = idSchema("item", "an item");

export const InputId = idSchema("input", "an input");

export const MessageId = idSchema("message", "a message");

export const GrantId = idSchema("grant", "a grant");

export const LaneId = idSchema("lane", "a lane");

export const LaunchId = idSchema("launch", "a launch");

export const ScheduleId = idSchema("schedule", "a schedule");

export const HandoffId = idSchema("handoff", "a handoff");

export const JobId = idSchema("job", "a job");

export const LimitId = idSchema("limit", "a limit");

export const CommentId = idSchema("comment", "a comment");
export const SubscriptionId = idSchema("subscription", "a push subscription");

export const ProjectId = idSchema("project", "a project");

export const TerminalId = idSchema("terminal", "a terminal");

export const PreviewId = idSchema("preview", "a preview");

export const AgentId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be an agent id such as claude");

/**
 * A model id. It is passed on command lines, so the character set is narrow. Only an agent may supply an id with options,
 * such as `opus[effort=high]`: see `isPlainModel`.
 */
export const ModelId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@[\]=,-]{0,199}$/, "must be a model id: letters, digits and . _ / : @ [ ] = , -");
