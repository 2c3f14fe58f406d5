import type { AgentCommand, Outbound } from "../contract.ts";
import { compact, type Fields, firstLine, nonBlank, number, ownValue, taskId, text } from "../fields.ts";
import type { Pass } from "../json-lines/pass.ts";
import type { PiState } from "../json-lines/pi-rpc/state.ts";

const LINE = 200;
const COMMAND = 500;
const ENDS = { done: "ok", failed: "error", cancelled: "stopped" } as const;

/** Background jobs of the agent are tasks of the session. Returns false for other messages. */
export function decodeJob(pass: Pass<PiState>, received: Fields): boolean {
  const task = taskId(text(received.jobId) ?? "");
  switch (received.type) {
    case "job_started": {
      const item = ownValue(pass.state.tools, text(received.toolCallId) ?? "")?.item;
      const command = nonBlank(received.command)?.trim().slice(0, COMMAND);
      const title = firstLine(command ?? "Command", LINE);
      pass.event("task.started", compact({ task, kind: "command", title, command, item }));
      return true;
    }
    case "job_updated":
      pass.event("task.updated", compact({ task, kind: "server", url: nonBlank(received.url) }));
      return true;
    case "job_ended": {
      const status = ownValue(ENDS, text(received.status) ?? "") ?? "error";
      const summary = nonBlank(received.summary);
      pass.event("task.ended", compact({ task, status, summary, exitCode: number(received.exitCode) }));
      return true;
    }
    default:
      return false;
  }
}

/** Stops one job. Its end is reported by `job_ended`. */
export function stopJob(state: PiState, { task }: Extract<AgentCommand, { type: "stopTask" }>): Outbound[] {
  const id = `stop-job-${state.written}`;
  return [{ msg: { id, type: "stop_job", jobId: task }, key: id, repeat: "safe" }];
}
