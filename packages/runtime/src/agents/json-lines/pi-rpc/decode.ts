import type { Frame, Step } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, number, own, text } from "../../fields.ts";
import { endTool, toolProgress } from "../calls.ts";
import { diffChange, numberedChange, pathIn } from "../reading/changes.ts";
import { blocksText } from "../reading/content.ts";
import { categoryOf } from "../reading/failures.ts";
import { readPlan } from "../reading/plan.ts";
import { Pass } from "../talk.ts";
import { begin, complained, ending, fail, plainLine, processEnded, ready } from "../turns.ts";
import { commandPrinted, commands, handledLocally } from "./commands.ts";
import { compacted, compacting, retried, retrying, settle, stopped } from "./ending.ts";
import { inbound } from "./inbound.ts";
import { asked } from "./inputs.ts";
import { called, messageEnded, messageStarted, messageUpdated } from "./messages.ts";
import { named, responded } from "./responses.ts";
import type { PiState } from "./state.ts";
import { subagentChanged, subagentWorks } from "./subagents.ts";

/** Events that are understood and say nothing that the log needs, with the reason. */
const quiet: Record<string, string> = {
  ready: "the answer to our first request says more",
  turn_start: "a request to the model, not a turn of the person",
  turn_end: "its messages were told one by one",
  queue_update: "messages are told when they are taken",
  entry_appended: "the agent's own transcript",
  thinking_level_changed: "the answer to our request says it",
  model_changed: "the answer to our request says it",
  advisor_cost_changed: "comes with the turn",
  tool_stream_update: "a sign of life",
  todo_reminder: "said to its model; the plan itself was told",
  config_update: "the answer to our request says it",
  session_info_update: "sessions have titles of their own here",
  session_info_changed: "sessions have titles of their own here",
};

type Reader = (pass: Pass<PiState>, said: Fields, frame: unknown) => void;

const readers: Record<string, Reader> = {
  session: (pass, said) => ready(pass, { handle: named(pass, nonBlank(said.id)) }),
  response: responded,
  agent_start: (pass) => started(pass),
  message_start: messageStarted,
  message_update: messageUpdated,
  message_end: messageEnded,
  tool_execution_start: (pass, said) => called(pass, text(said.toolCallId) ?? "", said.toolName, said.args),
  tool_execution_update: (pass, said) => {
    toolProgress(pass, text(said.toolCallId) ?? "", blocksText(fields(said.partialResult).content) ?? "");
  },
  tool_execution_end: toolEnded,
  agent_end: stopped,
  agent_settled: settle,
  auto_retry_start: retrying,
  auto_retry_end: retried,
  compaction_start: compacting,
  auto_compaction_start: compacting,
  compaction_end: compacted,
  auto_compaction_end: compacted,
  available_commands_update: (pass, said) => commands(pass, said.commands),
  extension_ui_request: asked,
  extension_error: (pass, said) => pass.notice("extension", "warning", text(said.error) ?? "An extension failed."),
  notice: noticed,
  command_output: commandPrinted,
  prompt_result: (pass, said) => said.agentInvoked === false && handledLocally(pass, nonBlank(said.id)),
  subagent_lifecycle: subagentChanged,
  subagent_progress: subagentWorks,
};

/** A frame of the talk with Pi or one of its kin, in both directions or printed. */
export function decode(channel: string, state: PiState, frame: Frame): Step<PiState> {
  const pass = new Pass(state, channel);
  if (frame.dir === "err") complained(pass, frame.text);
  if (frame.dir === "in") inbound(pass, fields(frame.msg));
  if (frame.dir === "end") ended(pass, frame.code, frame.signal);
  if (frame.dir === "out") heard(pass, frame);
  return pass.step();
}

function heard(pass: Pass<PiState>, frame: Extract<Frame, { dir: "out" }>): void {
  if ("oversize" in frame) return pass.raw({ oversize: frame.oversize, head: frame.head }, "line too long");
  if ("text" in frame && pass.state.rpc) return pass.raw(frame.text, "a line that is not JSON");
  if ("text" in frame) return plainLine(pass, frame.text);
  pass.state.framed = true;
  const said = fields(frame.msg);
  const type = text(said.type) ?? "";
  const reader = own(readers, type);
  if (reader) reader(pass, said, frame.msg);
  else if (!own(quiet, type)) pass.raw(frame.msg, "unknown event");
}

/**
 * The agent works; after a failed request this is the next try of the same turn. Where nothing told what it works on,
 * the message that it echoes next does, and the turn begins with that.
 */
function started(pass: Pass<PiState>): void {
  const { state } = pass;
  state.waiting = undefined;
  if (state.message || Object.keys(state.sent).length > 0) begin(pass);
}

/** Told apart from the output, in `details`. */
const WALL_TIME = /\n*\n\nWall time: [\d.]+ seconds(?=\n|$)/;

function toolEnded(pass: Pass<PiState>, said: Fields): void {
  const native = text(said.toolCallId) ?? "";
  const result = fields(said.result);
  const details = fields(result.details);
  const tool = own(pass.state.tools, native);
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
      status: said.isError === true ? ("error" as const) : ("ok" as const),
      output: blocksText(result.content)?.replace(WALL_TIME, ""),
      exitCode: number(details.exitCode),
      durationMs: number(details.wallTimeMs),
      changes: change ? [change] : undefined,
    }),
  );
}

function noticed(pass: Pass<PiState>, said: Fields): void {
  const severity = said.level === "error" ? "error" : said.level === "warning" ? "warning" : "info";
  pass.notice(nonBlank(said.source) ?? "agent", severity, text(said.message) ?? "");
}

/** The end of the process settles what was in doubt. One that dies before it was asked anything says why on stderr. */
function ended(pass: Pass<PiState>, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.waiting || (state.stop === "aborted" && state.turn === "running")) return settle(pass);
  if (!state.rpc || state.turn === "running") return processEnded(pass, code, signal);
  if (!code || state.lost) return;
  // The turn that it was started for fails with what it said.
  if (!state.ready) return fail(pass, ending(pass, code, signal), { reason: "not started" });
  if (categoryOf(state.stderr.join("\n"))) pass.event("error", ending(pass, code, signal));
}
