import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AddComment, Comment, CommentList, PatchComment } from "./schema.ts";

const session = ["no_such_session", "session_ended"] as const;

/** Comments on the lines that a session changed. */
export const commentRoutes = {
  listComments: {
    method: "GET",
    path: "/v1/sessions/:id/comments",
    summary: "Lists the comments on a session's changes, oldest first. Lines and states follow the files.",
    status: 200,
    response: CommentList,
    errors: ["no_such_session"],
    agent: "family",
    client: "comments.list(id) > comments",
  },
  addComment: {
    method: "POST",
    path: "/v1/sessions/:id/comments",
    summary: "Comments on a line or a range of a file. The agent gets it with the next message of a person.",
    body: AddComment,
    status: 201,
    response: Comment,
    errors: [...session, "no_such_turn", "no_checkpoint", "invalid", "conflict", "queue_full", "git_failed"],
    client: "comments.add(id, body)",
  },
  patchComment: {
    method: "PATCH",
    path: "/v1/sessions/:id/comments/:comment",
    summary: "Changes the text of a comment, resolves it, or opens it again.",
    body: PatchComment,
    status: 200,
    response: Comment,
    errors: [...session, "no_such_comment", "queue_full", "invalid"],
    client: "comments.edit(id, comment, body)",
  },
  deleteComment: {
    method: "DELETE",
    path: "/v1/sessions/:id/comments/:comment",
    summary: "Deletes a comment. A message that was sent with it does not change.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: [...session, "no_such_comment"],
    client: "comments.remove(id, comment)",
  },
} as const satisfies Record<string, Route>;
