import { type Draft, draft, type Failure, failure, type Mode } from "@gantry/protocol";
import type { DecoderEvent, Frame, Output } from "../../agents/contract.ts";
import { hideTokensIn } from "../../framing/redact.ts";
import { forkKey } from "../../handoff/strategy.ts";
import { reportControls } from "./controls.ts";
import { completeHandoffOnWork } from "./handoff/outcome.ts";
import { askForContinuity, requestInput, withdrawInput } from "./inputs/inputs.ts";
import { proposePlan } from "./inputs/plans.ts";
import {
  changeSubagent,
  endText,
  endTool,
  inTurn,
  requeueUndelivered,
  retractMessages,
  startSubagent,
  startTool,
  streamDelta,
  updateTool,
} from "./items.ts";
import { mayRetry, recordLimit } from "./limits.ts";
import { changeMode, reportMode, reportPlanWrite } from "./modes.ts";
import { sendPrompts } from "./prompts.ts";
import { drainQueue, requeueDropped, retractMessage } from "./queue.ts";
import { boundOutput } from "./reading/bounds.ts";
import { noteUnread, storeRaw } from "./reading/unread.ts";
import type { Conversation } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { adoptAgentTurn, asStopped, confirmMessage } from "./stop.ts";
import { endTask, startTask, updateTask } from "./tasks/tasks.ts";
import { endTurn, withLoginOffer } from "./turns.ts";

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
  if (outputs.some(isRaw)) noteUnread(step, frame);
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

/**
 * Applies one decoder output. Never throws for what an agent printed: impossible output is dropped or stored as raw.
 * `synthetic`: the decoder concluded it from the end of the process.
 */
export function applyOutput(step: SessionStep, received: Output, synthetic = false): void {
  const output = boundOutput(received);
  // The blob of the raw event holds the whole text.
  if (output !== received) {
    const reason = "cut: a text or a list was too long";
    storeRaw(step, draft("raw", { channel: "engine", frame: hideTokensIn(received), reason }));
  }
  if (isProgress(output)) {
    step.signals.progress = true;
    recordFirstOutput(step, output);
  }
  dispatch(step, output, synthetic);
  if (!synthetic) completeHandoffOnWork(step, output);
}

/** What an agent may report before its model has answered. */
const NOT_OUTPUT = new Set<string>(["error", "limit.reached", "limit.cleared", "context.compacted"]);

/** Measures the time to the first output of a turn. Recordings and histories have no clock. */
function recordFirstOutput(step: SessionStep, output: Output): void {
  const { turn } = step.view;
  if (!turn || step.firstOutput?.turn === turn.id || !step.context.deadlines || output.kind === "finish") return;
  if (output.kind === "event" && NOT_OUTPUT.has(output.event.type)) return;
  step.firstOutput = { turn: turn.id, ms: Math.max(0, Date.parse(step.at) - Date.parse(turn.startedAt)) };
  // Once per turn: replaying the spool would measure the time of the replay.
  step.needsMark = true;
}

function dispatch(step: SessionStep, output: Output, synthetic: boolean): void {
  switch (output.kind) {
    case "event":
      return applyEvent(step, withoutTokens(output.event));
    case "delta":
      return streamDelta(step, output);
    case "activity": {
      const { state, detail } = output;
      return step.live({ type: "activity", session: step.view.id, state, ...(detail === undefined ? {} : { detail }) });
    }
    case "retry":
      return agentRetries(step, output);
    case "begin":
      return adoptAgentTurn(step, output.messages ?? []);
    case "finish":
      return finishTurn(step, output, synthetic);
    case "taken":
      return confirmMessage(step, output.message, output.inline);
    case "dropped":
      return requeueDropped(step, output.message, output.reason);
    case "retracted":
      return retractMessage(step, output.message, output.ok);
    case "ask":
      if (!step.view.turn && output.request.kind === "login") return step.effect({ type: "stop", reason: "login" });
      return requestInput(step, output.key, hideTokensIn(output.request), hideTokensIn(output.ext));
    case "plan":
      return proposePlan(step, output);
    case "withdrawn":
      return withdrawInput(step, output.key, output.reason);
    case "ready":
      return openConversation(step, output);
    case "lost":
      // A process that no message needs yet: the next message asks.
      if (!step.view.turn) return step.effect({ type: "stop", reason: "lost" });
      return askForContinuity(step, output.message);
    case "applied":
      return settingApplied(step, output);
    case "controls":
      return reportControls(step, output);
    case "send":
      return step.sendFrame(output.frame);
    case "ack":
      step.acks.push(output.key);
      return;
    default:
      return;
  }
}

/** Every frame was redacted separately. A token can still form where a decoder joins the texts of several frames. */
function withoutTokens(event: Draft<DecoderEvent>): Draft<DecoderEvent> {
  // A raw event is one frame.
  const data = event.type === "raw" ? event.data : hideTokensIn(event.data);
  return data === event.data ? event : ({ ...event, data } as Draft<DecoderEvent>);
}

function isRaw(output: Output): boolean {
  return output.kind === "event" && output.event.type === "raw";
}

function applyEvent(step: SessionStep, event: Draft<DecoderEvent>): void {
  switch (event.type) {
    case "raw":
      return storeRaw(step, event);
    case "tool.started":
      return startTool(step, event);
    case "tool.updated":
      return updateTool(step, event);
    case "tool.ended":
      reportPlanWrite(step, event);
      return endTool(step, event);
    case "mode.changed":
      return changeMode(step, event);
    case "subagent.started":
      return startSubagent(step, event);
    case "subagent.updated":
    case "subagent.ended":
      return changeSubagent(step, event);
    case "task.started":
      return startTask(step, event);
    case "task.updated":
      return updateTask(step, event);
    case "task.ended":
      return endTask(step, event);
    case "message.done":
    case "reasoning.done":
      return endText(step, event);
    case "message.retracted":
      return retractMessages(step, event);
    case "limit.reached":
    case "limit.cleared":
      return recordLimit(step, inTurn(step.view, event));
    case "error":
      return step.record(inTurn(step.view, { ...event, data: withLoginOffer(step, event.data) }));
    default:
      return step.record(inTurn(step.view, event));
  }
}

function agentRetries(step: SessionStep, output: Extract<Output, { kind: "retry" }>): void {
  const { kind: _, failure: failed, ...retry } = output;
  step.signals.retry = failed ?? failure("network", output.reason);
  step.live({ type: "retry", session: step.view.id, ...retry });
  if (failed && !mayRetry(step, output)) stopRetrying(step, failed);
}

/** Other sessions wait for the same limit: another request would be refused too. */
function stopRetrying(step: SessionStep, failed: Failure): void {
  endTurn(step, { outcome: "failed", reason: "limit", error: failed }, true);
  requeueUndelivered(step);
  step.effect({ type: "stop", reason: "deadline" });
  drainQueue(step);
}

/** A second end of a turn, or one after Gantry ended it, changes nothing. */
function finishTurn(step: SessionStep, output: Extract<Output, { kind: "finish" }>, synthetic: boolean): void {
  releaseUnusableProcess(step, output.error);
  if (!step.view.turn) return;
  const { kind: _, ...end } = output;
  endTurn(step, asStopped(step, end, synthetic), synthetic);
  drainQueue(step);
}

/** Longer ids of native conversations are not stored: they would be part of every view of the session. */
const LONGEST_HANDLE = 4000;

function openConversation(step: SessionStep, output: Extract<Output, { kind: "ready" }>): void {
  if (step.conversation) step.conversation.ready = true;
  const { agent, handles, servedModel } = step.view;
  if (output.handle && output.handle.length > LONGEST_HANDLE) {
    const text = `The agent's conversation has an id of ${output.handle.length} characters, so it cannot be resumed.`;
    step.emit("notice", { kind: "handle", severity: "warning", text });
  } else if (output.handle && handles[agent] !== output.handle) {
    const copied = handles[forkKey(agent)] === undefined ? {} : { [forkKey(agent)]: null };
    step.emit("session.updated", { patch: { handles: { [agent]: output.handle, ...copied } } });
  }
  if (output.model && output.model !== servedModel) {
    step.emit("model.changed", { ...(servedModel === undefined ? {} : { from: servedModel }), to: output.model });
  }
  reportMode(step, output.mode, output.native);
}

function settingApplied(step: SessionStep, output: Extract<Output, { kind: "applied" }>): void {
  step.applied.push(output);
  if (output.ok && output.field === "mode") return reportMode(step, output.value as Mode, output.native);
  if (output.ok) return;
  const text = output.message ?? `The agent did not accept ${output.field} ${output.value}.`;
  step.emit("notice", { kind: "setting", severity: "warning", text });
}

/** Facts about the agent that it may state without working on the turn. */
const NOT_PROGRESS = new Set<string>([
  "notice",
  "context.usage",
  "commands.changed",
  "model.changed",
  "mode.changed",
  "session.updated",
  "task.updated",
  "task.ended",
  "raw",
]);

/** Does the output show that the agent works on the turn? */
export function isProgress(output: Output): boolean {
  if (output.kind === "event") return !NOT_PROGRESS.has(output.event.type);
  return output.kind === "delta" || output.kind === "ask" || output.kind === "finish";
}

/**
 * A turn is about to end. A process that never opened its conversation takes no more messages, and one that lacks a login
 * reads it only at its start: the next message gets a new process.
 */
function releaseUnusableProcess(step: SessionStep, error: Failure | undefined): void {
  const { conversation } = step;
  if (!conversation || conversation.channel.perTurn) return;
  if (!conversation.ready) step.effect({ type: "stop", reason: "unopened" });
  else if (error?.category === "auth") restartForLogin(step);
}

/** Agents do not store a conversation without content, so the next process must start a new one. */
function restartForLogin(step: SessionStep): void {
  const { agent, turns, parent } = step.view;
  step.effect({ type: "stop", reason: "login" });
  if (turns > 1 || parent !== undefined || step.hasWorked) return;
  step.emit("session.updated", { patch: { handles: { [agent]: null } }, reason: "the conversation is empty" });
}
