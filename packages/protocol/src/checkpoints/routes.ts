import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { ForkSession, Reverted, RevertTurn, TurnDiff, TurnList, UndoRevert } from "./schema.ts";

/** The turns of a session, their changes, and reverting them. */
export const checkpointRoutes = {
  listTurns: {
    method: "GET",
    path: "/v1/sessions/:id/turns",
    summary: "Lists the turns of a session in order, with usage and changes.",
    status: 200,
    response: TurnList,
    errors: ["no_such_session"],
    agent: "family",
    client: "turns.list(id) > turns",
  },
  turnDiff: {
    method: "GET",
    path: "/v1/sessions/:id/turns/:turn/diff",
    summary: "Returns the changes of a turn, so far for a running one. `path` selects a file or folder.",
    query: z.strictObject({
      path: z.string().min(1).max(4096).optional(),
      context: decimal(0, 10_000).optional(),
      bytes: decimal(0, 20_000_000).optional(),
    }),
    status: 200,
    response: TurnDiff,
    errors: ["no_such_session", "no_such_turn", "no_checkpoint", "git_failed", "unavailable", "invalid"],
    agent: "family",
    client: "turns.diff(id, turn, query?)",
  },
  revertTurn: {
    method: "POST",
    path: "/v1/sessions/:id/turns/:turn/revert",
    summary:
      "Restores the files that a turn changed to their state before it (or after it). With `dry`, only reports the plan.",
    body: RevertTurn,
    bodyOptional: true,
    status: 200,
    response: Reverted,
    errors: [
      "no_such_session",
      "no_such_turn",
      "no_checkpoint",
      "turn_running",
      "conflict",
      "git_failed",
      "unavailable",
      "invalid",
    ],
    client: "turns.revert(id, turn, body?)",
  },
  undoRevert: {
    method: "POST",
    path: "/v1/sessions/:id/reverts/:revert/undo",
    summary: "Undoes a revert. The undo can be undone too.",
    body: UndoRevert,
    bodyOptional: true,
    status: 200,
    response: Reverted,
    errors: [
      "no_such_session",
      "no_such_revert",
      "no_checkpoint",
      "turn_running",
      "conflict",
      "git_failed",
      "unavailable",
    ],
    client: "turns.undo(id, revert, body?)",
  },
  forkSession: {
    method: "POST",
    path: "/v1/sessions/:id/fork",
    summary:
      "Creates a session that continues from a turn of this one, with any agent: by a native fork if possible, otherwise with a brief from the log. Its files are those of that turn, by default in a new lane.",
    body: ForkSession,
    bodyOptional: true,
    status: 201,
    response: Session,
    errors: [
      ...["no_such_session", "no_such_agent", "agent_unavailable", "unsupported", "turn_running", "invalid"],
      ...["no_checkpoint", "no_commits", "git_failed", "git_locked", "unavailable"],
    ] as const,
    client: ["sessions.fork(id, body?)", "turns.fork(id, body?)"],
  },
} as const satisfies Record<string, Route>;
