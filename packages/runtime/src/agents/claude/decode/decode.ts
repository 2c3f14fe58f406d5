import type { Frame, Step } from "../../contract.ts";
import { type Fields, fields, isFields, nonBlank, number, ownValue, text } from "../../fields.ts";
import { event, notice, PROVIDER, raw } from "../outputs.ts";
import { readControlCancel, readControlRequest, readControlResponse } from "./control.ts";
import { readEnd, readPlain, readStderr } from "./ending.ts";
import { quietFrames, rawFrames } from "./frames.ts";
import { readInbound } from "./inbound.ts";
import { readAssistant } from "./messages/assistant.ts";
import { readStreamEvent } from "./messages/stream-events.ts";
import { readUser } from "./messages/user.ts";
import { readResult } from "./result.ts";
import { Pass, type State } from "./state.ts";
import { readSystem } from "./system.ts";
import { recordCancelled, recordCompleted, recordReceived, takenUp } from "./turn.ts";

/** Decodes one frame. Pure; never throws for anything Claude printed. */
export function decode(state: State, frame: Frame): Step<State> {
  const pass = new Pass(state);
  read(pass, frame);
  return [pass.state, pass.out];
}

function read(pass: Pass, frame: Frame): void {
  if (frame.dir === "err") return readStderr(pass, frame.text);
  if (frame.dir === "end") return readEnd(pass, frame.code, frame.signal);
  if ("text" in frame) return readPlain(pass, frame.text);
  pass.state.framed = true;
  if (frame.dir === "in") return readInbound(pass, frame.msg);
  if ("oversize" in frame) {
    const { oversize, head } = frame;
    return pass.emit(raw({ oversize, head }, "a line too long to read"));
  }
  if (!isFields(frame.msg)) return pass.emit(raw(frame.msg, "not a frame"));
  const handler = ownValue(handlers, text(frame.msg.type) ?? "");
  if (handler) return handler(pass, frame.msg);
  const name = text(frame.msg.type) ?? "";
  if (!Object.hasOwn(quietFrames, name)) pass.emit(raw(frame.msg, ownValue(rawFrames, name) ?? "unknown frame"));
}

const handlers: Record<string, (pass: Pass, frame: Fields) => void> = {
  system: readSystem,
  stream_event: readStreamEvent,
  assistant: readAssistant,
  user: readUser,
  result: readResult,
  control_request: readControlRequest,
  control_response: readControlResponse,
  control_cancel_request: readControlCancel,
  command_lifecycle: lifecycle,
  rate_limit_event: rateLimit,
  tool_progress: (pass, frame) => {
    const seconds = number(frame.elapsed_time_seconds);
    const detail = `${nonBlank(frame.tool_name) ?? "tool"}${seconds === undefined ? "" : `, ${seconds} s`}`;
    pass.emit({ kind: "activity", state: "tool", detail });
  },
};

/** Delivery state of a message (newer versions). `started` before `init` belongs to the turn that `init` announces. */
function lifecycle(pass: Pass, frame: Fields): void {
  const uuid = nonBlank(frame.command_uuid);
  if (!uuid) return;
  if (frame.state === "queued") return recordReceived(pass, uuid);
  if (frame.state === "started") return takenUp(pass, uuid);
  if (frame.state === "completed") return recordCompleted(pass, uuid);
  if (frame.state === "cancelled") return recordCancelled(pass, uuid);
}

/** The account's rate limits (subscriptions only). */
function rateLimit(pass: Pass, frame: Fields): void {
  const info = fields(frame.rate_limit_info);
  const window = nonBlank(info.rateLimitType);
  const resetsAt = isoTime(number(info.resetsAt));
  const limit = { provider: PROVIDER, ...(window && { window }), ...(resetsAt && { resetsAt }), source: "agent" };
  if (info.status === "rejected") {
    pass.state.limited = true;
    return pass.emit(event("limit.reached", limit));
  }
  if (pass.state.limited) pass.emit(event("limit.cleared", limit));
  pass.state.limited = false;
  if (info.status !== "allowed_warning") return;
  const share = number(info.utilization);
  const used = share === undefined ? "is nearly used up" : `is used up by ${Math.round(share * 100)} %`;
  pass.emit(notice("limit", "warning", `The ${(window ?? "usage").replaceAll("_", " ")} limit ${used}.`));
}

/** ISO 8601 time from seconds since the epoch. */
function isoTime(seconds: number | undefined): string | undefined {
  if (seconds === undefined || Math.abs(seconds) > 8e12) return undefined;
  return new Date(seconds * 1000).toISOString();
}
