import { z } from "zod";
import { CommentId, MessageId } from "../ids/schema.ts";

/** The side of a diff: `old` is the text before the changes, `new` the text after them. */
export const DiffSide = z.enum(["old", "new"]);

export type DiffSide = z.infer<typeof DiffSide>;

/**
 * `open`: it goes to the agent with the next message of a person. `sent`: it went with `message`. `resolved`: its lines
 * changed, or a person resolved it.
 */
export const CommentState = z.enum(["open", "sent", "resolved"]);

export type CommentState = z.infer<typeof CommentState>;

/** A moment of a session's files: a turn, a commit that the API reported, or one of these names. */
export const MomentName = z
  .string()
  .regex(
    /^(?:base|session|head|index|now|trn_[A-Za-z0-9_.:#-]{1,200}|[0-9a-f]{40,64})$/,
    "must be base, session, head, index, now, a turn's id or a whole commit id",
  );

const path = z.string().min(1).max(4096);

const line = z.number().int().min(1).max(10_000_000);

const text = z.string().trim().min(1, "must not be empty").max(4000);

/** Why a comment is resolved: its lines changed, its file was deleted, or a person resolved it. */
export const CommentReason = z.enum(["changed", "deleted", "person"]);

export type CommentReason = z.infer<typeof CommentReason>;

/** A person's comment on lines of a changed file. */
export const Comment = z.object({
  comment: CommentId,
  /** Relative to the session's folder. */
  path,
  /** The first line, and the last one of a range. They follow the text when lines above it are added or removed. */
  line,
  endLine: line.optional(),
  side: DiffSide,
  text: z.string(),
  /** The commented lines, shortened. */
  quote: z.string(),
  /** The git blob that holds the lines; absent outside a repository. */
  blob: z.string().optional(),
  /** For the side `old`: a hash of the change that replaced the lines. */
  change: z.string().optional(),
  state: CommentState,
  /** The message that it was sent with. */
  message: MessageId.optional(),
  /** Its lines changed before it was sent. It stays open. */
  outdated: z.boolean().optional(),
  reason: CommentReason.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type Comment = z.infer<typeof Comment>;

export const AddComment = z
  .strictObject({
    /** Idempotency key: a repeated id returns the first comment. */
    id: CommentId.optional(),
    path,
    line,
    /** The last line of a range. Default: `line`. */
    endLine: line.optional(),
    side: DiffSide.default("new"),
    text,
    /** The diff that the line number refers to, as in `changes`. Default: `base` to `now`. */
    from: MomentName.optional(),
    to: MomentName.optional(),
  })
  .refine(({ line: first, endLine = first }) => endLine >= first && endLine - first < 1000, {
    message: "must be at most 999 lines after `line`",
    path: ["endLine"],
  });

export type AddComment = z.infer<typeof AddComment>;

export const PatchComment = z
  .strictObject({
    text: text.optional(),
    /** `open` sends it again with the next message. */
    state: z.enum(["open", "resolved"]).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "name text or state");

export type PatchComment = z.infer<typeof PatchComment>;

export const CommentList = z.object({ comments: z.array(Comment) });
