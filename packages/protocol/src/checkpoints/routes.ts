import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { ForkSession, Reverted, RevertTurn, TurnDiff, TurnList, UndoRevert } from "./schema.ts";

/** The turns of a session, what they changed, and the way back. */
export const checkpointRoutes = {
  listTurns: {
    method: "GET",
    path: "/v1/sessions/:id/turns",
    summary: "The turns of a session in their order, with what they took and changed.",
    status: 200,
    response: TurnList,
    errors: ["no_such_session"],
    agent: "family",
    client: "turns.list(id) > turns",
  },
  turnDiff: {
    method: "GET",
    path: "/v1/sessions/:id/turns/:turn/diff",
    summary: "What a turn changed, exactly; of a running one, so far. `path` narrows it to a file or folder.",
    query: z.strictObject({
      path: z.string().min(1).max(4096).optional(),
      context: z.coerce.number().int().min(0).max(10_000).optional(),
      bytes: z.coerce.number().int().min(0).max(20_000_000).optional(),
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
      "Puts the files that a turn changed back to how they were before it (or after it). With `dry`, only says what would be done.",
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
    summary: "Takes a revert back; that can be taken back too.",
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
      "A new session that goes on from a turn of this one, with any agent: natively where that can be, else told of it from the log. Its files are those of that turn, in a lane of their own unless said otherwise.",
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
