import type { TaskOutput } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Reads the output of tasks. Throws `no_such_session` and `no_such_task`. */
export interface TaskOutputs {
  read(session: string, task: string, bytes: number | undefined): TaskOutput;
}

export function taskHandlers(outputs: TaskOutputs): Pick<Handlers, "taskOutput"> {
  return {
    taskOutput: ({ params, query }) => ({ json: outputs.read(params.id, params.task, query.bytes) }),
  };
}
