import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { PatchMessage, SendMessage, Sent } from "./schema.ts";

const session = ["no_such_session"] as const;

/** Messages to a session, sent or queued. */
export const messageRoutes = {
  sendMessage: {
    method: "POST",
    path: "/v1/sessions/:id/messages",
    summary:
      "Sends a message. A response means that it is on disk; `disposition` reports whether it started a turn, steers one or is queued.",
    body: SendMessage,
    status: 202,
    response: Sent,
    errors: [...session, "session_ended", "invalid", "conflict", "queue_full", "unsupported", "outside_folder"],
    agent: "checked",
    client: "sessions.send(id, body)",
  },
  patchMessage: {
    method: "PATCH",
    path: "/v1/sessions/:id/messages/:mid",
    summary: "Edits or moves a queued message, or sends it now.",
    body: PatchMessage,
    status: 200,
    response: Session,
    errors: [...session, "no_such_message", "already_sent", "unsupported", "conflict"],
    agent: "below",
    client: "sessions.editMessage(id, mid, body)",
  },
  deleteMessage: {
    method: "DELETE",
    path: "/v1/sessions/:id/messages/:mid",
    summary:
      "Cancels a queued message. A message that was sent into the running turn is taken back, if the agent allows it and has not read it.",
    status: 200,
    response: Session,
    errors: [...session, "no_such_message", "already_sent", "already_read", "conflict"],
    agent: "below",
    client: "sessions.cancelMessage(id, mid)",
  },
} as const satisfies Record<string, Route>;
