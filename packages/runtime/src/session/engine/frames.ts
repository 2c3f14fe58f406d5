import { failure } from "@gantry/protocol";
import type { Frame } from "../../agents/contract.ts";
import { applyOutput } from "./outputs.ts";
import { sendPrompts } from "./prompts.ts";
import type { Conversation } from "./state.ts";
import type { SessionStep } from "./step.ts";

/** Decodes one frame and applies its outputs. `end` is the byte of stdout after it. */
export function receiveFrame(step: SessionStep, frame: Frame, end: number): void {
  const ended = frame.dir === "end";
  if (ended) endTrail(step);
  const { conversation } = step;
  if (!conversation) return;
  if (ended) step.stopsSending = true;
  const [state, outputs] = conversation.channel.decode(conversation.state, frame);
  conversation.state = state;
  conversation.offset = end;
  step.signals.received = true;
  for (const output of outputs) applyOutput(step, output, ended);
  if ("oversize" in frame) reportOversize(step, frame.oversize);
  sendPrompts(step);
}

/** How long the end of a turn is held back for output that trails it; `undefined` while none is. */
export function trailMs(conversation: Conversation | undefined): number | undefined {
  return conversation?.channel.trail?.ms(conversation.state);
}

/** Applies a turn's end that is held back. `false`: there is none. */
export function endTrail(step: SessionStep): boolean {
  const { conversation } = step;
  const trail = conversation?.channel.trail;
  if (!conversation || !trail || trailMs(conversation) === undefined) return false;
  const [state, outputs] = trail.over(conversation.state);
  conversation.state = state;
  // The clock decided it, and the spool has no clock.
  step.needsMark = true;
  for (const output of outputs) applyOutput(step, output, false);
  return true;
}

function reportOversize(step: SessionStep, size: number): void {
  const megabytes = (size / 1_000_000).toFixed(1);
  const text = `The agent printed a line of ${megabytes} MB, longer than the limit. The line was dropped; its beginning is stored as a raw event.`;
  const remedy = "Raise lineLimitMb in config.yml if the agent's lines are that long.";
  step.emit("error", failure("protocol", text, remedy));
}
