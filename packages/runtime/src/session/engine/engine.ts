import type { ControlValues, Draft, Mode } from "@gantry/protocol";
import { frameOf, type Line } from "../../framing/lines.ts";
import { hideTokens } from "../../framing/redact.ts";
import { deadlinePassed, diskFreed, outputCut, reportRecovery, updateDeadlines } from "./deadlines.ts";
import { refuseHandoff, requestHandoff, startHandoff } from "./handoff/handoff.ts";
import { answerInput, resetConversation } from "./inputs/inputs.ts";
import { answerPlan } from "./inputs/plans.ts";
import { isProposal } from "./items.ts";
import { releaseHold } from "./limits.ts";
import { endTrail, receiveFrame } from "./outputs.ts";
import {
  closeConversation,
  endProcess,
  launchFailed,
  ping,
  processExited,
  processLaunched,
  processReleased,
  promptUndelivered,
  startHandshake,
  stdinClosed,
} from "./process.ts";
import { sendPrompts } from "./prompts.ts";
import { cancelMessage, changeQueue, drainQueue, editMessage, type NewMessage, sendMessage } from "./queue.ts";
import { quarantineLine, summariseRaw } from "./reading/unread.ts";
import { requestContext } from "./request-context.ts";
import type { EngineContext, EngineState } from "./state.ts";
import { SessionStep } from "./step.ts";
import { interrupt } from "./stop.ts";
import { stopTask, taskKilled, taskNotStopped, taskProcessEnded, taskServes } from "./tasks/stop-task.ts";
import { endTurn } from "./turns.ts";

/** Every input of a session and the rule that handles it. */
const handlers = {
  // From the agent's process.
  processLaunched,
  launchFailed,
  startHandshake,
  stdout: receiveLines,
  quarantine: quarantineLine,
  unfinishedLine,
  stderr: receiveStderr,
  stdinClosed,
  promptUndelivered,
  processExited,
  processReleased,
  taskProcessEnded,
  taskServes,
  taskKilled,
  taskNotStopped,
  /** The process of an earlier daemon is gone, and its output cannot be decoded. */
  processLost: (step: SessionStep) => endProcess(step, { code: null, signal: null }),
  ping,
  closeConversation,
  // From clients and other parts of the daemon.
  send,
  editMessage,
  cancelMessage,
  interrupt,
  changeQueue,
  stopTask,
  requestContext,
  answerInput: answer,
  changeSetting,
  requestHandoff,
  startHandoff,
  refuseHandoff,
  resetConversation,
  recordEvents,
  wake,
  // From the clock.
  deadlinePassed,
  beforeRelease,
  diskFreed,
  outputCut,
};

type Handlers = typeof handlers;
export type InputType = keyof Handlers;
export type InputOf<T extends InputType> = Parameters<Handlers[T]>[1];
export type ReplyOf<T extends InputType> = ReturnType<Handlers[T]>;

/**
 * One step of a session: applies an input to a state. Pure: the caller commits the step's events, frames and state, then
 * publishes, then performs its effects. Throws `GantryError` for what a client did wrong; the step is then dropped.
 */
export function step<T extends InputType>(
  state: EngineState,
  context: EngineContext,
  type: T,
  input: InputOf<T>,
): { step: SessionStep; reply: ReplyOf<T> } {
  const next = new SessionStep(state, context);
  const handle = handlers[type] as (step: SessionStep, input: InputOf<T>) => ReplyOf<T>;
  const reply = handle(next, input);
  sendPrompts(next);
  const endsTurn = next.before.turn && next.view.turn?.id !== next.before.turn.id;
  if (endsTurn || next.effects.some(({ type }) => type === "stop")) summariseRaw(next);
  updateDeadlines(next);
  return { step: next, reply };
}

/** One read of the spool. `end` is the byte of stdout after its last line. */
function receiveLines(step: SessionStep, { lines, end }: { lines: readonly Line[]; end: number }): void {
  reportRecovery(step);
  for (const line of lines) receiveFrame(step, frameOf(line), line.end);
  if (!step.conversation) return;
  step.conversation.offset = end;
  if (lines.length > 0) step.conversation.unfinished = undefined;
}

/** The process will be released: what was held back or only counted is stored. */
function beforeRelease(step: SessionStep): void {
  endTrail(step);
  summariseRaw(step);
}

/** The process has begun a line and not ended it. Called before a deadline passes. */
function unfinishedLine(step: SessionStep, unfinished: { bytes: number; head: string }): void {
  if (step.conversation) step.conversation.unfinished = { ...unfinished, head: hideTokens(unfinished.head) };
}

const COMPLAINT = /error|fatal|panic|exception|denied|not found|cannot|failed/i;

function receiveStderr(step: SessionStep, lines: readonly Line[]): void {
  for (const line of lines) {
    const text = hideTokens(line.kind === "line" ? line.text : line.head);
    const { conversation } = step;
    if (conversation && (COMPLAINT.test(text) || !conversation.complaint))
      conversation.complaint = text.trim().slice(0, 300);
    receiveFrame(step, { dir: "err", text }, step.conversation?.offset ?? 0);
  }
}

/** `notice` is recorded before the message. `title` is the title that it gives an untitled session. */
export type SendInput = {
  message: NewMessage;
  notice?: { kind: string; text: string };
  title?: Extract<Draft, { type: "session.updated" }>["data"]["patch"];
};

function send(step: SessionStep, { message, notice, title }: SendInput): ReturnType<typeof sendMessage> {
  if (notice) step.emit("notice", { ...notice, severity: "info" });
  const sent = sendMessage(step, message);
  if (title && step.view.turns <= 1) step.emit("session.updated", { patch: title, reason: "first message" });
  return sent;
}

function answer(step: SessionStep, input: Parameters<typeof answerInput>[1]): void {
  const pending = step.view.inputs.find(({ id }) => id === input.id);
  answerInput(step, input);
  if (pending && isProposal(pending)) answerPlan(step, pending, input.answer);
}

export type Setting = "model" | "mode" | "effort" | "controls";

/** Sends a setting to the running process, with controls also the mode. `false`: it cannot be changed there. */
function changeSetting(
  step: SessionStep,
  { field, value, mode }: { field: Setting; value: string | ControlValues; mode?: Mode },
): boolean {
  step.sendCommand({ type: "set", ...(mode ? { mode } : {}), [field]: value });
  return step.frames.length > 0;
}

function recordEvents(step: SessionStep, events: readonly Draft[]): void {
  for (const event of events) step.record(event);
}

/** The queue continues after a restart or a limit. `release`: the session no longer waits for its limit. */
function wake(step: SessionStep, { release = false }: { release?: boolean }): void {
  if (release) releaseHold(step);
  if (step.view.turn?.stopping && !step.conversation)
    endTurn(step, { outcome: "interrupted", reason: "its process has ended" }, true);
  drainQueue(step);
}
