import { type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { completeText, nextText } from "../../json-lines/texts.ts";
import { addTurnUsage, beginTurn, exitFailure, failTurn, finishTurn, reportReady } from "../../json-lines/turns.ts";
import { errorFailure } from "../wire/errors.ts";
import { readTool } from "../wire/tools.ts";
import { stepUsage } from "../wire/usage.ts";

/** `stopped` is the reason of the last step's end, which distinguishes a finished turn from an aborted one. */
export type RunState = DecoderState & { stopped?: string; cost: number };

/** Decodes a line of `opencode run --format json`: complete message parts. No line marks the end. */
export function line(pass: Pass<RunState>, line: Fields, frame: unknown): void {
  reportReady(pass, { handle: nonBlank(line.sessionID) });
  beginTurn(pass);
  const part = fields(line.part);
  switch (line.type) {
    case "step_start":
      pass.state.stopped = undefined;
      return;
    case "text":
      return addText(pass, part);
    case "reasoning":
      return completeText(pass, nonBlank(part.id) ?? nextText(pass), "reasoning", text(part.text) ?? "");
    case "tool_use":
      return readTool(pass, part);
    case "step_finish":
      return endStep(pass, part);
    case "error":
      pass.state.failure = errorFailure(fields(line.error));
      return;
    default:
      return pass.raw(frame, "unknown line");
  }
}

/** Text that OpenCode inserts in the user's name after a compaction is not a response. */
function addText(pass: Pass<RunState>, part: Fields): void {
  if (part.synthetic !== true)
    return completeText(pass, nonBlank(part.id) ?? nextText(pass), "text", text(part.text) ?? "");
  if (fields(part.metadata).compaction_continue === true) {
    pass.event("context.compacted", { trigger: "overflow", inferred: true });
  }
}

function endStep(pass: Pass<RunState>, part: Fields): void {
  pass.state.stopped = text(part.reason);
  pass.state.cost += number(part.cost) ?? 0;
  addTurnUsage(pass, stepUsage(fields(part.tokens)));
}

/**
 * The exit of the process ends the turn. The exit code is unreliable: after a compaction it is 1 with a complete
 * response.
 */
export function endProcess(pass: Pass<RunState>, code: number | null, signal: string | null): void {
  const { failure, stopped, cost } = pass.state;
  const more = cost > 0 ? { cost: { usd: cost, source: "agent" as const } } : {};
  if (failure) return failTurn(pass, failure, more);
  if (stopped === "length") return finishTurn(pass, { outcome: "completed", reason: "length", ...more });
  if (stopped === "stop" || code === 0) return finishTurn(pass, { outcome: "completed", ...more });
  failTurn(pass, exitFailure(pass, code, signal), more);
}
