import { setTimeout as sleep } from "node:timers/promises";
import { asObject, type Json, parseObject } from "@gantry/scripted/json";
import type { Capture, CapturedFrame } from "./capture.ts";

export interface PlayerOptions {
  /** 1 plays at the recorded pace, 10 ten times as fast, 0 (the default) without waiting. */
  speed?: number;
  write(line: string): void;
  /** The next line from the host; `null` at the end of its input. */
  nextLine(): Promise<string | null>;
}

/**
 * Plays the agent's side of a recording. At every frame that went to the agent it waits for a line. Where the host
 * numbers its requests differently from the recorded one, the answers get the host's numbers. Resolves to `false`
 * when the host went away before the end.
 */
export async function playCapture(capture: Capture, options: PlayerOptions): Promise<boolean> {
  const ids = new Map<string, unknown>();
  let clock = capture.frames[0]?.t ?? 0;
  for (const frame of capture.frames) {
    if (frame.dir === "in") {
      const line = await options.nextLine();
      if (line === null) return false;
      learnIds(ids, frame, parseObject(line) ?? {});
    } else {
      const wait = options.speed ? Math.max(0, (frame.t ?? clock) - clock) / options.speed : 0;
      if (wait > 0) await sleep(wait);
      options.write(frame.msg ? JSON.stringify(renumber(ids, frame.msg)) : (frame.text ?? ""));
    }
    clock = frame.t ?? clock;
  }
  return true;
}

function learnIds(ids: Map<string, unknown>, recorded: CapturedFrame, actual: Json): void {
  const msg = recorded.msg ?? {};
  if (msg.id !== undefined && msg.method !== undefined) ids.set(JSON.stringify(msg.id), actual.id);
  if (msg.type === "control_request") ids.set(JSON.stringify(msg.request_id), actual.request_id);
}

/** Only answers are renumbered: an agent's own requests keep their ids. */
function renumber(ids: Map<string, unknown>, msg: Json): Json {
  if (msg.type === "control_response") {
    const response = asObject(msg.response);
    const id = ids.get(JSON.stringify(response.request_id));
    return id === undefined ? msg : { ...msg, response: { ...response, request_id: id } };
  }
  if (msg.id === undefined || msg.method !== undefined) return msg;
  const id = ids.get(JSON.stringify(msg.id));
  return id === undefined ? msg : { ...msg, id };
}
