import type { Frame, Step } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { endTool, toolProgress } from "../calls.ts";
import { Pass } from "../pass.ts";
import { diffChange, numberedChange, pathIn } from "../reading/changes.ts";
import { blocksText } from "../reading/content.ts";
import { categoryOf } from "../reading/failures.ts";
import { readPlan } from "../reading/plan.ts";
import {
  beginTurn,
  exitFailure,
  failTurn,
  handlePlainLine,
  handleProcessEnd,
  recordStderr,
  reportReady,
} from "../turns.ts";
import { finishLocalCommand, handleCommandOutput, publishCommands } from "./commands.ts";
import {
  handleAgentEnd,
  handleCompactionEnd,
  handleCompactionStart,
  handleRetry,
  handleRetryEnd,
  handleSettled,
  settle,
} from "./ending.ts";
import { inbound } from "./inbound.ts";
import { handleDialog } from "./inputs.ts";
import { messageEnded, messageStarted, messageUpdated, startCall } from "./messages.ts";
import { handleResponse, resumableId } from "./responses.ts";
import type { PiState } from "./state.ts";
import { handleSubagent, handleSubagentProgress } from "./subagents.ts";

/** Ignored events, with the reason. */
const ignored: Record<string, string> = {
  ready: "superseded by the response to get_state",
  turn_start: "a model request, not a user turn",
  turn_end: "its messages were published one by one",
  queue_update: "messages are published when accepted",
  entry_appended: "the agent's transcript",
  thinking_level_changed: "reported by the response",
  model_changed: "reported by the response",
  advisor_cost_changed: "included in the turn",
  tool_stream_update: "keep-alive",
  todo_reminder: "addressed to the model; the plan was published",
  config_update: "reported by the response",
  session_info_update: "Gantry names sessions itself",
  session_info_changed: "Gantry names sessions itself",
};

type Handler = (pass: Pass<PiState>, line: Fields, frame: unknown) => void;

const handlers: Record<string, Handler> = {
  session: (pass, line) => reportReady(pass, { handle: resumableId(pass, nonBlank(line.id)) }),
  response: handleResponse,
  agent_start: (pass) => handleAgentStart(pass),
  message_start: messageStarted,
  message_update: messageUpdated,
  message_end: messageEnded,
  tool_execution_start: (pass, line) => startCall(pass, text(line.toolCallId) ?? "", line.toolName, line.args),
  tool_execution_update: (pass, line) => {
    toolProgress(pass, text(line.toolCallId) ?? "", blocksText(fields(line.partialResult).content) ?? "");
  },
  tool_execution_end: handleToolEnd,
  agent_end: handleAgentEnd,
  agent_settled: handleSettled,
  auto_retry_start: handleRetry,
  auto_retry_end: handleRetryEnd,
  compaction_start: handleCompactionStart,
  auto_compaction_start: handleCompactionStart,
  compaction_end: handleCompactionEnd,
  auto_compaction_end: handleCompactionEnd,
  available_commands_update: (pass, line) => publishCommands(pass, line.commands),
  extension_ui_request: handleDialog,
  extension_error: (pass, line) => pass.notice("extension", "warning", text(line.error) ?? "An extension failed."),
  notice: handleNotice,
  command_output: handleCommandOutput,
  prompt_result: (pass, line) => line.agentInvoked === false && finishLocalCommand(pass, nonBlank(line.id)),
  subagent_lifecycle: handleSubagent,
  subagent_progress: handleSubagentProgress,
};

/** Decodes a frame of Pi or a derived agent, in RPC or print mode. */
export function decode(channel: string, state: PiState, frame: Frame): Step<PiState> {
  const pass = new Pass(state, channel);
  if (frame.dir === "err") recordStderr(pass, frame.text);
  if (frame.dir === "in") inbound(pass, fields(frame.msg));
  if (frame.dir === "end") handleExit(pass, frame.code, frame.signal);
  if (frame.dir === "out") handleOutput(pass, frame);
  return pass.step();
}

function handleOutput(pass: Pass<PiState>, frame: Extract<Frame, { dir: "out" }>): void {
  if ("oversize" in frame) return pass.raw({ oversize: frame.oversize, head: frame.head }, "line too long");
  if ("text" in frame && pass.state.rpc) return pass.raw(frame.text, "a line that is not JSON");
  if ("text" in frame) return handlePlainLine(pass, frame.text);
  pass.state.framed = true;
  const line = fields(frame.msg);
  const type = text(line.type) ?? "";
  const reader = ownValue(handlers, type);
  if (reader) reader(pass, line, frame.msg);
  else if (!ownValue(ignored, type)) pass.raw(frame.msg, "unknown event");
}

/**
 * The agent is working; after a failed request this is a retry in the same turn. If the message is unknown, the turn
 * begins with the echo that follows.
 */
function handleAgentStart(pass: Pass<PiState>): void {
  const { state } = pass;
  state.waiting = undefined;
  if (state.message || Object.keys(state.sent).length > 0) beginTurn(pass);
}

/** Reported separately in `details`. */
const WALL_TIME = /(?<!\n)\n{2,}Wall time: [\d.]+ seconds(?=\n|$)/;

function handleToolEnd(pass: Pass<PiState>, line: Fields): void {
  const native = text(line.toolCallId) ?? "";
  const result = fields(line.result);
  const details = fields(result.details);
  const tool = ownValue(pass.state.tools, native);
  const path = tool?.changes?.[0]?.path ?? pathIn(details);
  const printed = text(details.diff);
  const change =
    path && printed
      ? (diffChange(path, printed, details.created === true ? "add" : "update") ?? numberedChange(path, printed))
      : undefined;
  const plan = tool && list(details.phases).length > 0 ? readPlan(details) : undefined;
  if (tool && plan) pass.state.tools = { ...pass.state.tools, [native]: { ...tool, plan } };
  endTool(
    pass,
    native,
    compact({
      status: line.isError === true ? ("error" as const) : ("ok" as const),
      output: blocksText(result.content)?.replace(WALL_TIME, ""),
      exitCode: number(details.exitCode),
      durationMs: number(details.wallTimeMs),
      changes: change ? [change] : undefined,
    }),
  );
}

function handleNotice(pass: Pass<PiState>, line: Fields): void {
  const severity = line.level === "error" ? "error" : line.level === "warning" ? "warning" : "info";
  pass.notice(nonBlank(line.source) ?? "agent", severity, text(line.message) ?? "");
}

/**
 * Handles the exit of the process, which settles a pending end. A process that exits before the first prompt explains
 * itself on stderr.
 */
function handleExit(pass: Pass<PiState>, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.waiting || (state.stop === "aborted" && state.turn === "running")) return settle(pass);
  if (!state.rpc || state.turn === "running") return handleProcessEnd(pass, code, signal);
  if (!code || state.lost) return;
  // The turn that started the process fails with the process's error.
  if (!state.ready) return failTurn(pass, exitFailure(pass, code, signal), { reason: "not started" });
  if (categoryOf(state.stderr.join("\n"))) pass.event("error", exitFailure(pass, code, signal));
}
