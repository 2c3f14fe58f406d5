import { COMMENT_LIMITS } from "../comments/limits.ts";
import type { Comment } from "../comments/schema.ts";
import type { Envelope } from "../events/envelope.ts";
import type { SessionView } from "./types.ts";

type CommentEvent = Envelope<"comment.added"> | Envelope<"comment.updated"> | Envelope<"comment.removed">;
type WithComments = Pick<SessionView, "comments">;

export function isCommentEvent(event: Envelope): event is CommentEvent {
  return event.type === "comment.added" || event.type === "comment.updated" || event.type === "comment.removed";
}

/** Comments that the next message of a person takes along. */
export function openComments({ comments = [] }: WithComments): Comment[] {
  return comments.filter(({ state }) => state === "open");
}

/** The view's comments after a `comment.*` event, in the order in which they were added. */
export function changeComments({ comments = [] }: WithComments, event: CommentEvent): WithComments {
  const { comment } = event.data;
  const others = comments.filter((entry) => entry.comment !== comment);
  if (event.type === "comment.removed") return { comments: others };
  if (event.type === "comment.added") {
    const added: Comment = { ...event.data, state: "open", createdAt: event.at, updatedAt: event.at };
    return { comments: [...others, added] };
  }
  const changed = comments.map((entry) => (entry.comment === comment ? applyChange(entry, event) : entry));
  return { comments: withoutOldest(changed) };
}

function applyChange(entry: Comment, { data, at }: Envelope<"comment.updated">): Comment {
  const { comment: _, endLine, ...changes } = data;
  const next: Comment = { ...entry, ...changes, updatedAt: at };
  if (endLine !== undefined) next.endLine = endLine ?? undefined;
  if (changes.state !== "open") return next;
  const { message, reason, ...open } = next;
  return open;
}

/** The view has a bounded number of resolved comments. */
function withoutOldest(comments: Comment[]): Comment[] {
  const resolved = comments.filter(({ state }) => state === "resolved");
  const dropped = new Set(
    resolved
      .toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1))
      .slice(0, Math.max(0, resolved.length - COMMENT_LIMITS.resolved)),
  );
  return dropped.size === 0 ? comments : comments.filter((entry) => !dropped.has(entry));
}

/** A message that never reached the agent gives its comments back: the next message takes them along. */
export function returnComments({ comments }: WithComments, message: string): WithComments {
  if (!comments?.some((entry) => entry.message === message && entry.state === "sent")) return {};
  const open = (entry: Comment): Comment => {
    const { message: _, ...rest } = entry;
    return { ...rest, state: "open" };
  };
  return {
    comments: comments.map((entry) => (entry.message === message && entry.state === "sent" ? open(entry) : entry)),
  };
}
