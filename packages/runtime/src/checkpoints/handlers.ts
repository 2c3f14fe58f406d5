import type { Handlers } from "../server/handler.ts";
import type { CheckpointService } from "./port.ts";

type CheckpointHandlers = Pick<Handlers, "listTurns" | "turnDiff" | "revertTurn" | "undoRevert" | "forkSession">;

export function checkpointHandlers(checkpoints: CheckpointService): CheckpointHandlers {
  return {
    listTurns: async ({ params }) => ({ json: await checkpoints.turns(params.id) }),
    turnDiff: async ({ params, query }) => ({ json: await checkpoints.diff(params.id, params.turn, query) }),
    revertTurn: async ({ params, body }) => ({ json: await checkpoints.revert(params.id, params.turn, body) }),
    undoRevert: async ({ params, body }) => ({ json: await checkpoints.undo(params.id, params.revert, body) }),
    forkSession: async ({ params, body }) => ({ json: await checkpoints.fork(params.id, body) }),
  };
}
