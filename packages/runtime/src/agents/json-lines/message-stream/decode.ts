import { type Fields, fields, list, nonBlank, number, ownValue, text, texts } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { openItems, retractItems } from "../texts.ts";
import { beginTurn, reportReady, reportRetry } from "../turns.ts";
import { handleControlRequest, handleControlResponse, handleSentAnswer } from "./control.ts";
import { handleAssistant, handleStreamEvent, handleUser } from "./messages.ts";
import { handleResult } from "./result.ts";
import type { MessageState } from "./state.ts";

/** Ignored `stream_event` and `system` lines, with the reason. */
const ignored: Record<string, string> = {
  "stream_event/goal_state": "a goal that was not set by the user",
  "system/session_start": "reported by init",
};

/**
 * Decodes a line of the message stream that several agents share: `system`, `assistant`, `user` and `result` lines with
 * complete messages, preceded by `stream_event` chunks if partial messages are enabled.
 */
export function decodeLine(pass: Pass<MessageState>, received: Fields, frame: unknown): void {
  switch (received.type) {
    case "system":
      return handleSystem(pass, received, frame);
    case "stream_event":
      return ownValue(ignored, `stream_event/${text(fields(received.event).type)}`)
        ? undefined
        : handleStreamEvent(pass, received, frame);
    case "assistant":
      return handleAssistant(pass, received);
    case "user":
      return handleUser(pass, received);
    case "result":
      return handleResult(pass, received);
    case "control_request":
      return handleControlRequest(pass, received, frame);
    case "control_response":
      return handleControlResponse(pass, received);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function handleSystem(pass: Pass<MessageState>, received: Fields, frame: unknown): void {
  if (received.subtype === "init") return handleInit(pass, received);
  if (received.subtype === "retry") return handleRetry(pass, fields(received.data));
  if (!ownValue(ignored, `system/${text(received.subtype) ?? ""}`)) pass.raw(frame, "unknown system line");
}

function handleInit(pass: Pass<MessageState>, received: Fields): void {
  const news = pass.state.handle !== received.session_id;
  reportReady(pass, { handle: nonBlank(received.session_id), model: nonBlank(received.model) });
  const commands = texts(received.slash_commands).map((name) => ({ name }));
  if (news && commands.length > 0) pass.event("commands.changed", { list: commands });
}

/** Handles a retry of an interrupted model response. Published text is retracted unless the agent preserves it. */
function handleRetry(pass: Pass<MessageState>, data: Fields): void {
  beginTurn(pass);
  const { state } = pass;
  if (data.preserveText === false) retractItems(pass, [...openItems(pass), ...state.answer], "the request is retried");
  state.answer = [];
  state.block = undefined;
  const attempt = number(data.attempt);
  reportRetry(pass, { ...(attempt === undefined ? {} : { attempt }), reason: nonBlank(data.reason) ?? "retry" });
}

/** Decodes a line written to the agent: user prompts and decisions, in two-way recordings. */
export function inbound(pass: Pass<MessageState>, received: Fields): void {
  if (received.type === "user") {
    const { content } = fields(received.message);
    const prompt =
      text(content) ??
      list(content)
        .map((entry) => text(fields(entry).text) ?? "")
        .join("\n");
    return pass.emit({ kind: "prompted", text: prompt });
  }
  if (received.type === "control_response") return handleSentAnswer(pass, fields(received.response));
  if (received.type === "control_request" && fields(received.request).subtype === "interrupt")
    pass.state.stopping = true;
}

const kinds = ["system", "assistant", "user", "result", "stream_event"];

export function isMessageStream(line: Fields): boolean {
  return kinds.includes(text(line.type) ?? "") && "session_id" in line && !("agent_id" in line);
}
