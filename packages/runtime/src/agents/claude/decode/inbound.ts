import type { ControlValues, InputAnswer, Mode } from "@gantry/protocol";
import {
  compact,
  type Fields,
  fields,
  isFields,
  list,
  newestEntries,
  nonBlank,
  ownValue,
  text,
  withoutKey,
} from "../../fields.ts";
import { raw } from "../outputs.ts";
import { fingerprint, options } from "./asks.ts";
import { quietFrames } from "./frames.ts";
import type { Ask, Pass, Request } from "./state.ts";
import { markRetracting } from "./turn.ts";

const WAITING = 50;

/** Decodes a frame written to Claude's stdin, by us or by the recorded client. */
export function readInbound(pass: Pass, msg: unknown): void {
  const { state } = pass;
  state.written++;
  const frame = fields(msg);
  switch (frame.type) {
    case "user":
      return prompt(pass, frame);
    case "control_request":
      return request(pass, frame);
    case "control_response":
      return response(pass, fields(frame.response));
    default:
      if (typeof msg === "string") return recordPlainText(pass, msg);
      if (!Object.hasOwn(quietFrames, text(frame.type) ?? "")) pass.emit(raw(msg, "unknown input"));
  }
}

/** Plain text was written. Claude rejects it; the end of the turn reports the result. */
function recordPlainText(pass: Pass, prompt: string): void {
  pass.emit({ kind: "prompted", text: prompt });
  if (!pass.state.turn) pass.state.prompted = true;
}

function prompt(pass: Pass, frame: Fields): void {
  const { state } = pass;
  const uuid = nonBlank(frame.uuid);
  const message = uuid && messageOf(frame, uuid);
  if (uuid && !state.sent.some((entry) => entry.uuid === uuid)) {
    state.sent = [...state.sent, compact({ uuid, message })].slice(-WAITING);
  }
  pass.emit(compact({ kind: "prompted", text: promptText(frame), message, steer: state.turn ? true : undefined }));
  if (!state.turn) state.prompted = true;
}

/** Our frames carry our id; frames of other clients have only the UUID. */
function messageOf(frame: Fields, uuid: string): string | undefined {
  return isFields(frame.gantry) ? nonBlank(frame.gantry.message) : `msg_${uuid}`;
}

function promptText(frame: Fields): string {
  const { content } = fields(frame.message);
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

const KINDS: Record<string, { what: Request["what"]; value: (request: Fields) => unknown }> = {
  initialize: { what: "initialize", value: () => "" },
  interrupt: { what: "interrupt", value: () => "" },
  set_permission_mode: { what: "mode", value: (asked) => asked.mode },
  set_model: { what: "model", value: (asked) => asked.model ?? "default" },
  stop_task: { what: "stopTask", value: (asked) => asked.task_id },
  cancel_async_message: { what: "retract", value: (asked) => asked.message_uuid },
  get_context_usage: { what: "context", value: () => "" },
  apply_flag_settings: { what: "effort", value: (asked) => fields(asked.settings).effortLevel },
};

function request(pass: Pass, frame: Fields): void {
  const { state } = pass;
  const id = nonBlank(frame.request_id);
  const asked = fields(frame.request);
  const kind = ownValue(KINDS, text(asked.subtype) ?? "");
  const own = fields(frame.gantry) as { mode?: Mode; controls?: ControlValues };
  const value = text(kind?.value(asked)) ?? "";
  const entry: Request = compact({ what: kind?.what ?? "other", value, asked: own.mode, controls: own.controls });
  if (id) state.requests = newestEntries({ ...state.requests, [id]: entry }, WAITING);
  if (entry.what === "retract") markRetracting(pass, entry.value, true);
  if (entry.what === "interrupt" && state.turn) state.turn = { ...state.turn, stopping: true };
}

/** Handles an answer to Claude's request. Responses to hooks are not decisions. */
function response(pass: Pass, line: Fields): void {
  const { state } = pass;
  const key = nonBlank(line.request_id);
  if (!key) return;
  state.answered = [...(state.answered ?? []).filter((other) => other !== key), key].slice(-WAITING);
  const ask = ownValue(state.asks, key);
  if (!ask) return;
  state.asks = withoutKey(state.asks, key);
  const given = fields(line.response);
  const answer = line.subtype === "error" ? { decision: "cancel" as const } : readAnswer(ask, given);
  const tool = ownValue(state.tools, ask.tool);
  if (tool && answer.decision === "deny") state.tools = { ...state.tools, [ask.tool]: { ...tool, denied: true } };
  if (given.interrupt === true && state.turn) state.turn = { ...state.turn, stopping: true };
  pass.emit({ kind: "answered", key, answer });
}

function readAnswer(ask: Ask, given: Fields): InputAnswer {
  if (ask.name === "elicitation") return { decision: given.action === "accept" ? "allow" : "deny" };
  if (given.behavior !== "allow") {
    const option = given.interrupt === true ? options.denyAndStop.id : undefined;
    return compact({ decision: "deny", option, message: nonBlank(given.message) });
  }
  const input = fields(given.updatedInput);
  if (ask.name === "AskUserQuestion") return { decision: "allow", answers: readAnswers(ask, fields(input.answers)) };
  const lasting = list(given.updatedPermissions).length > 0 && ask.name !== "ExitPlanMode";
  const edited = isFields(given.updatedInput) && fingerprint(input) !== ask.input;
  return compact({ decision: lasting ? "allow_session" : "allow", edits: edited ? input : undefined });
}

/** Claude keys answers by question text, Gantry by question id. */
function readAnswers(ask: Ask, answers: Fields): Record<string, string> {
  const named = ask.questions.flatMap((question, index) => {
    const answer = text(answers[question]);
    return answer === undefined ? [] : [[`q${index + 1}`, answer]];
  });
  return Object.fromEntries(named);
}
