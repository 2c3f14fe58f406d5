import type { AssistantMessage, ToolResultMessage } from "@gantry/models";
import type { Injection, Intervention } from "../contract/rules.ts";
import { type Answer, answer } from "./answer.ts";
import { ABORTED, failed, type Wanted } from "./call.ts";
import { runCalls, tellResult } from "./calls.ts";
import { callsOf } from "./draft.ts";
import type { Incoming, LoopPorts, RunEnd } from "./ports.ts";

/** How often in a row an answer may be cut off in the middle of a call, be empty, or leave a preview undecided. */
const CUT_OFF_MOST = 3;
const EMPTY_MOST = 1;
const UNDECIDED_MOST = 2;

type Patience = { cutOff: number; empty: number; undecided: number };

/** What the next turn begins with, or how the run ended. */
type Step = { next: Incoming[] } | { end: RunEnd };

/**
 * One run: the messages given, then turns until the model wants nothing more and nothing is queued. Tells turns and
 * messages; `agent_start` and `agent_end` are the caller's, who knows what follows. Never throws. Afterwards the
 * conversation is valid, however the run ended: every call in it has its result.
 */
export async function run(ports: LoopPorts, first: readonly Incoming[], signal: AbortSignal): Promise<RunEnd> {
  const patience: Patience = { cutOff: 0, empty: 0, undecided: 0 };
  let incoming = [...ports.queue.takeNotes(), ...first, ...ports.queue.takeSteering()];
  for (;;) {
    const step = await turn(ports, incoming, patience, signal);
    if ("end" in step) return step.end;
    incoming = step.next;
  }
}

async function turn(ports: LoopPorts, incoming: Incoming[], patience: Patience, signal: AbortSignal): Promise<Step> {
  const guarded = signal.aborted ? undefined : ports.guard?.beforeRequest();
  if (signal.aborted || guarded?.stop || guarded?.refused !== undefined) {
    for (const each of incoming) tell(ports, each);
    if (signal.aborted) return { end: { reason: "aborted" } };
    return { end: { reason: guarded?.stop ? "budget" : "error", errorMessage: guarded?.refused ?? "Stopped." } };
  }
  ports.emit({ type: "turn_start" });
  for (const each of incoming) tell(ports, each);
  const choice = ports.choices.next(ports.canForce());
  if (choice.reminder !== undefined) tell(ports, reminder(ports, "resolve-reminder", choice.reminder));
  const got = await answer(ports, choice.toolChoice, signal);
  if (got.intervention) return intervene(ports, got.message, got.intervention);
  const { message } = got;
  ports.record(message);
  ports.emit({ type: "message_end", message });
  if (message.stopReason === "error" || message.stopReason === "aborted") {
    return { end: brokenOff(ports, message, choice.toolChoice !== undefined) };
  }
  return await goOn(ports, got, patience, signal);
}

/** The answer is whole: do what it asks for, and see whether there is more to do. */
async function goOn(ports: LoopPorts, got: Answer, patience: Patience, signal: AbortSignal): Promise<Step> {
  const { message } = got;
  const wanted = callsOf(message).map((call, place): Wanted => ({ call, invalid: got.invalid(place) }));
  const rules = ports.watch?.end();
  const notes = rules ? [rules] : [];
  if (message.stopReason === "length" && wanted.length > 0) return cutOff(ports, message, wanted, patience);
  patience.cutOff = 0;
  const done = await runCalls(ports, wanted, signal);
  for (const each of ports.settleCalls?.() ?? []) announce(ports, { message: each });
  endTurn(ports, message, done.results);
  if (signal.aborted) return { end: { reason: "aborted" } };
  if (done.refusal !== undefined) return { end: { reason: "budget", errorMessage: done.refusal } };
  const more = [...done.injections, ...notes].map((each) => inject(ports, each));
  if (wanted.length > 0) {
    if (ports.mustPause()) {
      for (const each of more) tell(ports, each);
      return { end: { reason: "paused" } };
    }
    patience.empty = 0;
    return { next: [...more, ...ports.queue.takeNotes(), ...ports.queue.takeSteering()] };
  }
  const steering = [...ports.queue.takeNotes(), ...ports.queue.takeSteering()];
  if (steering.length > 0) return { next: [...more, ...steering] };
  return atRest(ports, message, patience, more);
}

/** The model wants no tool. Is that all? */
function atRest(ports: LoopPorts, message: AssistantMessage, patience: Patience, more: Incoming[]): Step {
  if (ports.choices.waiting && patience.undecided < UNDECIDED_MOST) {
    patience.undecided += 1;
    ports.choices.remindAgain();
    return { next: more };
  }
  const empty = !message.content.some((each) => each.type === "text" && each.text.trim() !== "");
  if (message.stopReason === "length") {
    notice(ports, "The answer was cut off: it reached the most that the model may write at once.");
  } else if (empty && patience.empty < EMPTY_MOST) {
    patience.empty += 1;
    const words = "Your last answer was empty. Go on with the task, or say in a sentence that you are done.";
    return { next: [...more, reminder(ports, "empty-answer", words)] };
  } else if (empty) {
    notice(ports, "The model gave an empty answer.");
  }
  const followUps = ports.queue.takeFollowUps();
  const left = followUps.length > 0 || empty || message.stopReason === "length" ? undefined : ports.unfinished?.();
  if (left) return { next: [...more, left] };
  if (followUps.length === 0) return { end: { reason: "completed" } };
  patience.empty = 0;
  return { next: [...more, ...followUps] };
}

/** An answer that failed or was aborted: its calls get results, so that the conversation stays valid. */
function brokenOff(ports: LoopPorts, message: AssistantMessage, forced: boolean): RunEnd {
  const aborted = message.stopReason === "aborted";
  const words = aborted ? ABORTED : "Not run: the answer failed before it was complete.";
  const results = callsOf(message).map((call) => tellResult(ports, { call }, failed(words)));
  endTurn(ports, message, results);
  if (aborted) return { reason: "aborted" };
  const degraded = forced && message.failure?.category === "invalid";
  if (degraded) ports.choices.degrade();
  const errorMessage = message.failure?.message ?? message.errorMessage ?? "The model gave no answer.";
  return { reason: "error", errorMessage, failed: message, degraded };
}

/** Arguments that end in the middle must not be run, even where they happen to be readable. */
function cutOff(ports: LoopPorts, message: AssistantMessage, wanted: Wanted[], patience: Patience): Step {
  const words =
    "Not run: your answer was cut off at the most you may write at once. Make the call again, with less in it.";
  endTurn(
    ports,
    message,
    wanted.map((each) => tellResult(ports, each, failed(words))),
  );
  patience.cutOff += 1;
  if (patience.cutOff < CUT_OFF_MOST) return { next: ports.queue.takeSteering() };
  const errorMessage = "The model's answers were cut off at its output limit several times in a row.";
  return { end: { reason: "error", errorMessage } };
}

/** A rule stopped the stream. What was said is kept only if the rule wants it. */
function intervene(ports: LoopPorts, message: AssistantMessage, intervention: Intervention): Step {
  if (intervention.keep) ports.record(message);
  ports.emit({ type: "message_end", message });
  const calls = intervention.keep ? callsOf(message) : [];
  const results = calls.map((call) => tellResult(ports, { call }, failed("Not run: a rule stopped the answer.")));
  endTurn(ports, message, results);
  return { next: [inject(ports, intervention)] };
}

function inject(ports: LoopPorts, injection: Injection): Incoming {
  ports.emit({ type: "ttsr_triggered", rules: injection.rules });
  ports.injected(injection);
  return { message: { role: "developer", content: injection.text, timestamp: ports.now() } };
}

function endTurn(ports: LoopPorts, message: AssistantMessage, toolResults: ToolResultMessage[]): void {
  ports.emit({ type: "turn_end", message, toolResults });
}

function reminder(ports: LoopPorts, customType: string, content: string): Incoming {
  return { message: { role: "custom", customType, content, display: false, timestamp: ports.now() } };
}

function notice(ports: LoopPorts, message: string): void {
  ports.emit({ type: "notice", level: "warning", message, source: "loop" });
}

/** Records and tells a message that is whole from the beginning. */
function tell(ports: LoopPorts, incoming: Incoming): void {
  ports.record(incoming.message);
  announce(ports, incoming);
}

function announce(ports: LoopPorts, { message, promptId }: Incoming): void {
  ports.emit({ type: "message_start", message, ...(promptId === undefined ? {} : { promptId }) });
  ports.emit({ type: "message_end", message });
}
