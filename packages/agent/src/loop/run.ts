import type { AssistantMessage, ToolResultMessage } from "@gantry/models";
import type { Injection, Intervention } from "../contract/rules.ts";
import { publishResult, runCalls } from "./call-batch.ts";
import { callsOf } from "./draft.ts";
import { type ModelAnswer, requestAnswer } from "./model-answer.ts";
import type { Incoming, LoopPorts, RunEnd } from "./ports.ts";
import { ABORTED, beforeAbort, errorOutput, type RequestedCall } from "./run-call.ts";

/** How often in a row an answer may be truncated within a call, be empty, or leave a preview undecided. */
const CUT_OFF_MOST = 3;
const EMPTY_MOST = 1;
const UNDECIDED_MOST = 2;

type RepeatCounts = { cutOff: number; empty: number; undecided: number };

/** The messages that start the next turn, or how the run ended. */
type TurnResult = { next: Incoming[] } | { end: RunEnd };

/**
 * One run: records the given messages, then runs turns until the model requests no more calls and the queue is empty.
 * Publishes turns and messages; the caller publishes `agent_start` and `agent_end`, because it knows what follows. Never
 * throws. Afterwards the conversation is valid, however the run ended: every call has a result.
 */
export async function run(ports: LoopPorts, first: readonly Incoming[], signal: AbortSignal): Promise<RunEnd> {
  const repeats: RepeatCounts = { cutOff: 0, empty: 0, undecided: 0 };
  let incoming = [...ports.queue.takeNotes(), ...first, ...ports.queue.takeSteering()];
  for (;;) {
    const step = await runTurn(ports, incoming, repeats, signal);
    if ("end" in step) return step.end;
    incoming = step.next;
  }
}

async function runTurn(
  ports: LoopPorts,
  incoming: Incoming[],
  repeats: RepeatCounts,
  signal: AbortSignal,
): Promise<TurnResult> {
  const guarded = signal.aborted ? undefined : ports.guard?.beforeRequest();
  if (signal.aborted || guarded?.stop || guarded?.refused !== undefined) {
    for (const each of incoming) publish(ports, each);
    if (signal.aborted) return { end: { reason: "aborted" } };
    return { end: { reason: guarded?.stop ? "budget" : "error", errorMessage: guarded?.refused ?? "Stopped." } };
  }
  ports.emit({ type: "turn_start" });
  for (const each of incoming) publish(ports, each);
  const choice = ports.previews.next(ports.canForce());
  if (choice.reminder !== undefined) publish(ports, makeReminder(ports, "resolve-reminder", choice.reminder));
  const got = await requestAnswer(ports, choice.toolChoice, signal);
  if (got.intervention) return applyIntervention(ports, got.message, got.intervention);
  const { message } = got;
  ports.record(message);
  ports.emit({ type: "message_end", message });
  if (message.stopReason === "error" || message.stopReason === "aborted") {
    return { end: endFailedAnswer(ports, message, choice.toolChoice !== undefined) };
  }
  return await continueTurn(ports, got, repeats, signal);
}

/** The answer is complete: runs its calls and decides whether another turn follows. */
async function continueTurn(
  ports: LoopPorts,
  got: ModelAnswer,
  repeats: RepeatCounts,
  signal: AbortSignal,
): Promise<TurnResult> {
  const { message } = got;
  const wanted = callsOf(message).map((call, place): RequestedCall => ({ call, invalid: got.invalidReason(place) }));
  const rules = ports.watch?.end();
  const notes = rules ? [rules] : [];
  if (message.stopReason === "length" && wanted.length > 0)
    return rejectTruncatedCalls(ports, message, wanted, repeats);
  repeats.cutOff = 0;
  const done = await runCalls(ports, wanted, signal);
  for (const each of ports.settleCalls?.() ?? []) emitMessage(ports, { message: each });
  endTurn(ports, message, done.results);
  if (signal.aborted) return { end: { reason: "aborted" } };
  if (done.refusal !== undefined) return { end: { reason: "budget", errorMessage: done.refusal } };
  const more = [...done.injections, ...notes].map((each) => inject(ports, each));
  if (wanted.length > 0) {
    if (ports.mustPause()) {
      for (const each of more) publish(ports, each);
      return { end: { reason: "paused" } };
    }
    repeats.empty = 0;
    return { next: [...more, ...ports.queue.takeNotes(), ...ports.queue.takeSteering()] };
  }
  const steering = [...ports.queue.takeNotes(), ...ports.queue.takeSteering()];
  if (steering.length > 0) return { next: [...more, ...steering] };
  return await finishTurn(ports, message, repeats, more, signal);
}

/** The model requested no tool. Decides whether the run is complete. */
async function finishTurn(
  ports: LoopPorts,
  message: AssistantMessage,
  repeats: RepeatCounts,
  more: Incoming[],
  signal: AbortSignal,
): Promise<TurnResult> {
  if (ports.previews.waiting && repeats.undecided < UNDECIDED_MOST) {
    repeats.undecided += 1;
    ports.previews.remindAgain();
    return { next: more };
  }
  const empty = !message.content.some((each) => each.type === "text" && each.text.trim() !== "");
  if (message.stopReason === "length") {
    notice(ports, "The answer was cut off at the model's output limit.");
  } else if (empty && repeats.empty < EMPTY_MOST) {
    repeats.empty += 1;
    const text = "Your last answer was empty. Continue with the task, or state in one sentence that you are done.";
    return { next: [...more, makeReminder(ports, "empty-answer", text)] };
  } else if (empty) {
    notice(ports, "The model gave an empty answer.");
  }
  const followUps = ports.queue.takeFollowUps();
  const left = followUps.length > 0 || empty || message.stopReason === "length" ? undefined : ports.nextReminder?.();
  if (left) return { next: [...more, left] };
  if (followUps.length === 0) {
    const reason = await beforeAbort(ports.hooks?.stop?.(signal), signal);
    if (signal.aborted) return { end: { reason: "aborted" } };
    if (reason === undefined) return { end: { reason: "completed" } };
    return { next: [...more, makeReminder(ports, "stop-hook", reason)] };
  }
  repeats.empty = 0;
  return { next: [...more, ...followUps] };
}

/** Adds results for the calls of a failed or aborted answer, so that the conversation stays valid. */
function endFailedAnswer(ports: LoopPorts, message: AssistantMessage, forced: boolean): RunEnd {
  const aborted = message.stopReason === "aborted";
  const text = aborted ? ABORTED : "Not run: the answer failed before it was complete.";
  const results = callsOf(message).map((call) => publishResult(ports, { call }, errorOutput(text)));
  endTurn(ports, message, results);
  if (aborted) return { reason: "aborted" };
  const degraded = forced && message.failure?.category === "invalid";
  if (degraded) ports.previews.degrade();
  const errorMessage = message.failure?.message ?? message.errorMessage ?? "The model gave no answer.";
  return { reason: "error", errorMessage, failed: message, degraded };
}

/** Calls of a truncated answer must not run, even if their arguments happen to parse. */
function rejectTruncatedCalls(
  ports: LoopPorts,
  message: AssistantMessage,
  wanted: RequestedCall[],
  repeats: RepeatCounts,
): TurnResult {
  const text = "Not run: your answer was cut off at the output limit. Make the call again, with less content.";
  endTurn(
    ports,
    message,
    wanted.map((each) => publishResult(ports, each, errorOutput(text))),
  );
  repeats.cutOff += 1;
  if (repeats.cutOff < CUT_OFF_MOST) return { next: ports.queue.takeSteering() };
  const errorMessage = "The model's answers were cut off at its output limit several times in a row.";
  return { end: { reason: "error", errorMessage } };
}

/** A rule stopped the stream. The partial answer stays in the conversation only if the rule allows it. */
function applyIntervention(ports: LoopPorts, message: AssistantMessage, intervention: Intervention): TurnResult {
  if (intervention.keep) ports.record(message);
  ports.emit({ type: "message_end", message });
  const calls = intervention.keep ? callsOf(message) : [];
  const results = calls.map((call) =>
    publishResult(ports, { call }, errorOutput("Not run: a rule stopped the answer.")),
  );
  endTurn(ports, message, results);
  return { next: [inject(ports, intervention)] };
}

function inject(ports: LoopPorts, injection: Injection): Incoming {
  ports.emit({ type: "ttsr_triggered", rules: injection.rules });
  ports.recordInjection(injection);
  return { message: { role: "developer", content: injection.text, timestamp: ports.now() } };
}

function endTurn(ports: LoopPorts, message: AssistantMessage, toolResults: ToolResultMessage[]): void {
  ports.emit({ type: "turn_end", message, toolResults });
}

function makeReminder(ports: LoopPorts, customType: string, content: string): Incoming {
  return { message: { role: "custom", customType, content, display: false, timestamp: ports.now() } };
}

function notice(ports: LoopPorts, message: string): void {
  ports.emit({ type: "notice", level: "warning", message, source: "loop" });
}

/** Records and publishes a message that is complete from the start. */
function publish(ports: LoopPorts, incoming: Incoming): void {
  ports.record(incoming.message);
  emitMessage(ports, incoming);
}

function emitMessage(ports: LoopPorts, { message, promptId }: Incoming): void {
  ports.emit({ type: "message_start", message, ...(promptId === undefined ? {} : { promptId }) });
  ports.emit({ type: "message_end", message });
}
