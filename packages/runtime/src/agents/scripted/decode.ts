import { type ControlValues, draft, failure, InputAnswer } from "@gantry/protocol";
import type { z } from "zod";
import type { Frame, Output, Step } from "../contract.ts";
import { text } from "../fields.ts";
import { interpret, unifiedId } from "./events.ts";
import { AcceptedFrame, ControlsFrame, DeltaFrame, ErrorFrame, PongFrame, ReadyFrame, SetDoneFrame } from "./frames.ts";

/** The handshake, and the native conversation once it is open. */
export type ScriptedState = {
  start: { resume: string | null; fork: boolean; cwd: string; mode: string; model?: string; controls?: ControlValues };
  session?: string;
};

export const CHANNEL = "scripted";

/** The key of the handshake, acknowledged by `ready`. */
export const START = "start";

type Fields = Record<string, unknown>;

/** Pure; never throws. */
export function decode(state: ScriptedState, frame: Frame): Step<ScriptedState> {
  switch (frame.dir) {
    case "out":
      if ("text" in frame) return [state, [raw(frame.text, "not JSON")]];
      if ("oversize" in frame) return [state, [raw({ head: frame.head }, `a line of ${frame.oversize} bytes`)]];
      return decodeFrame(state, frame.msg);
    case "in":
      return [state, decodeInbound(frame.msg)];
    default:
      // Stderr is stored separately, and the engine handles the exit.
      return [state, []];
  }
}

function decodeFrame(state: ScriptedState, msg: unknown): Step<ScriptedState> {
  if (!isRecord(msg)) return [state, [raw(msg, "not an object")]];
  if (msg.type === "ready") return decodeReady(state, msg);
  if (typeof msg.session === "string" && msg.session !== state.session) {
    return [state, [raw(msg, "of another conversation")]];
  }
  return [state, outputsOf(msg)];
}

function decodeReady(state: ScriptedState, msg: Fields): Step<ScriptedState> {
  const parsed = ReadyFrame.safeParse(msg);
  if (!parsed.success) return [state, [raw(msg, "not a valid ready frame")]];
  const { session, model, mode, models, commands, controls } = parsed.data;
  if (state.session !== undefined && state.session !== session) return [state, [raw(msg, "of another conversation")]];
  const outputs: Output[] = [
    { kind: "ack", key: START },
    { kind: "ready", handle: session, model, mode, models: models.length > 0 ? models : undefined },
  ];
  if (controls) outputs.push({ kind: "controls", values: controls, all: true });
  if (commands.length > 0) outputs.push({ kind: "event", event: draft("commands.changed", { list: commands }) });
  return [{ ...state, session }, outputs];
}

function outputsOf(msg: Fields): Output[] {
  switch (msg.type) {
    case "event":
      return eventFrame(msg);
    case "delta":
      return read(DeltaFrame, msg, ({ item, channel, text }) => [
        { kind: "delta", item: unifiedId(item), channel, text },
      ]);
    case "accepted":
      return read(AcceptedFrame, msg, ({ id, inline }) => [
        { kind: "ack", key: id },
        { kind: "taken", message: id, inline },
      ]);
    case "set.done":
      return read(SetDoneFrame, msg, ({ type: _, ...applied }) => [{ kind: "applied", ...applied }]);
    case "controls":
      return read(ControlsFrame, msg, ({ values }) => [{ kind: "controls", values, all: true }]);
    case "pong":
      return read(PongFrame, msg, ({ id }) => [{ kind: "ack", key: id }]);
    case "error":
      return read(ErrorFrame, msg, ({ code, message }) =>
        code === "no_such_session"
          ? [{ kind: "lost", message }]
          : [{ kind: "event", event: draft("error", failure("unknown", `${message} (${code})`)) }],
      );
    default:
      return [raw(msg, "an unknown type of frame")];
  }
}

/** Parsed manually for speed; the event's data is checked against the protocol's table. */
function eventFrame(msg: Fields): Output[] {
  const { event } = msg;
  if (!isRecord(event) || typeof event.type !== "string" || !isRecord(event.data)) {
    return [raw(msg, "not a valid event frame")];
  }
  const meant = interpret(event.type, event.data);
  return "reason" in meant ? [raw(msg, meant.reason)] : meant;
}

/** Decodes the other side of a recording. */
function decodeInbound(msg: unknown): Output[] {
  if (!isRecord(msg)) return [];
  const { type, id, text } = msg;
  if ((type === "prompt" || type === "steer") && typeof text === "string") {
    const message = typeof id === "string" ? id : undefined;
    return [{ kind: "prompted", text, message, steer: type === "steer" || undefined }];
  }
  if (type !== "answer" || typeof id !== "string") return [];
  const { decision, edits, answers, message } = msg;
  const answer = InputAnswer.safeParse({ decision, edits, answers, message });
  return answer.success ? [{ kind: "answered", key: id, answer: answer.data }] : [];
}

function read<T>(schema: z.ZodType<T>, msg: Fields, mean: (frame: T) => Output[]): Output[] {
  const parsed = schema.safeParse(msg);
  return parsed.success ? mean(parsed.data) : [raw(msg, `not a valid frame of type ${text(msg.type) ?? "unknown"}`)];
}

function raw(frame: unknown, reason: string): Output {
  return { kind: "event", event: draft("raw", { channel: CHANNEL, frame, reason }) };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
