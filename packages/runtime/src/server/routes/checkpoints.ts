import type { CheckpointService } from "../../checkpoints/port.ts";
import type { Handlers } from "../handler.ts";

type CheckpointRoutes = Pick<Handlers, "listTurns" | "turnDiff" | "revertTurn" | "undoRevert" | "forkSession">;

export function checkpointRoutes(checkpoints: CheckpointService): CheckpointRoutes {
  return {
    listTurns: async ({ params }) => ({ json: await checkpoints.turns(params.id) }),
    turnDiff: async ({ params, query }) => ({ json: await checkpoints.diff(params.id, params.turn, query) }),
    revertTurn: async ({ params, body }) => ({ json: await checkpoints.revert(params.id, params.turn, body) }),
    undoRevert: async ({ params, body }) => ({ json: await checkpoints.undo(params.id, params.revert, body) }),
    forkSession: async ({ params, body }) => ({ json: await checkpoints.fork(params.id, body) }),
  };
}
