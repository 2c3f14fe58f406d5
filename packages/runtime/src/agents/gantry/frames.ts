import type { Frame } from "../contract.ts";
import { fields } from "../fields.ts";

/** Unwraps the numbered event envelope. Other frames are bare. */
export function unwrapped(frame: Frame): Frame {
  if (frame.dir !== "out" || !("msg" in frame)) return frame;
  const { type, payload } = fields(frame.msg);
  const inner = type === "event" ? fields(payload).event : undefined;
  return inner === undefined ? frame : { dir: "out", msg: inner };
}
