import { z } from "zod";
import { AgentId, ScheduleId, SessionId } from "../ids/schema.ts";
import { SendMessage } from "../messages/schema.ts";
import { CreateSession } from "../sessions/schema.ts";

const { model, mode, effort, controls, folders, cwd, lane, title, instructions } = CreateSession.shape;
const { text, attachments, delivery } = SendMessage.shape;

/** The template of a session that each run creates. */
export const ScheduledSession = z
  .strictObject({ agent: AgentId, model, mode, effort, controls, folders, cwd, lane, title, instructions })
  .refine((body) => body.cwd !== undefined || body.lane !== undefined, "needs cwd or lane");

export type ScheduledSession = z.infer<typeof ScheduledSession>;

/** Runs when another session next becomes idle with an empty queue. */
export const ScheduleAfter = z.strictObject({
  session: SessionId,
  outcome: z.enum(["completed", "failed", "any"]).default("any"),
});

export type ScheduleAfter = z.infer<typeof ScheduleAfter>;

const at = z.iso.datetime({ offset: true });

/** Seconds, or a cron expression of five fields in the time zone of the daemon's machine. */
const every = z.union([z.number().int().min(60).max(31_536_000), z.string().min(1).max(200)]);

const note = z.string().max(1000);

const oneOf = (body: object, names: readonly string[]) =>
  names.filter((name) => (body as Record<string, unknown>)[name] !== undefined).length;

const WHEN = ["at", "every", "after"] as const;

export const NewSchedule = z
  .strictObject({
    id: ScheduleId.optional(),
    session: SessionId.optional(),
    create: ScheduledSession.optional(),
    text,
    attachments,
    at: at.optional(),
    every: every.optional(),
    after: ScheduleAfter.optional(),
    delivery,
    enabled: z.boolean().optional(),
    note: note.optional(),
  })
  .refine((body) => oneOf(body, ["session", "create"]) === 1, "name either session or create")
  .refine((body) => oneOf(body, WHEN) === 1, "name one of at, every, after");

export type NewSchedule = z.infer<typeof NewSchedule>;

/** A new time replaces the previous one, of any kind. */
export const PatchSchedule = z
  .strictObject({
    text: text.optional(),
    attachments,
    at: at.optional(),
    every: every.optional(),
    after: ScheduleAfter.optional(),
    delivery,
    enabled: z.boolean().optional(),
    note: note.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "name at least one field")
  .refine((body) => oneOf(body, WHEN) <= 1, "name at most one of at, every, after");

export type PatchSchedule = z.infer<typeof PatchSchedule>;

/** The result of the last run. `waiting`: it could not be sent yet and is retried. */
export const ScheduleRun = z.object({
  at: z.iso.datetime(),
  /** The scheduled time. */
  due: z.iso.datetime(),
  outcome: z.enum(["started", "queued", "steered", "interrupting", "waiting", "failed"]),
  session: SessionId.optional(),
  message: z.string().optional(),
  error: z.string().optional(),
});

export type ScheduleRun = z.infer<typeof ScheduleRun>;

export const Schedule = z.object({
  id: ScheduleId,
  session: SessionId.optional(),
  create: ScheduledSession.optional(),
  text: z.string(),
  attachments,
  at: at.optional(),
  every: every.optional(),
  after: ScheduleAfter.optional(),
  delivery,
  enabled: z.boolean(),
  /** Why it was disabled automatically. */
  reason: z.string().optional(),
  note: z.string().optional(),
  nextAt: z.iso.datetime().optional(),
  lastRun: ScheduleRun.optional(),
  runs: z.number().int(),
  /** Scheduled times without a run: the daemon was not running, or the previous run was still pending. */
  misses: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type Schedule = z.infer<typeof Schedule>;
