import { type Failure, type FailureCategory, failure, runningTasks, sessionState } from "@gantry/protocol";
import type { HandshakeStage } from "../../agents/contract.ts";
import { isRefusal } from "../../limits/breaker/breaker.ts";
import { isProposal, requeueUndelivered } from "./items.ts";
import { endTrail, trailMs } from "./outputs.ts";
import { drainQueue } from "./queue.ts";
import { unreadFailure } from "./reading/unread.ts";
import type { Conversation, Deadline, DeadlineKind, Deadlines } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { endFailedTurn } from "./stop.ts";
import { isInTask } from "./tasks/contents.ts";
import { endOverdueTasks, taskStopDeadline } from "./tasks/stop-task.ts";
import { endTurn } from "./turns.ts";

/** How long a message may stay sent after a turn's end without a sign that the agent has it. */
const SETTLE_SECONDS = 5;

/** The only stage of a handshake without named ones. */
const START = "start";

/** Deadlines that a restart resumes at their original time. The others describe a wait that starts again. */
const DURABLE = ["handshake", "firstOutput", "retry", "turn", "interrupt", "lostOutput"] as const;

/** The part of the deadlines that the mark stores. */
export function durableDeadlines(deadlines: Deadlines): Deadlines {
  const stored: { [Kind in DeadlineKind]?: Deadline } = {};
  for (const kind of DURABLE) if (deadlines[kind]) stored[kind] = deadlines[kind];
  return stored;
}

/** Progress ends these waits. */
export function withoutProgressDeadlines({
  firstOutput: _,
  retry: __,
  lostOutput: ___,
  ...rest
}: Deadlines): Deadlines {
  return rest;
}

/** Sets every deadline for what the session waits for now. Runs at the end of each step. */
export function updateDeadlines(step: SessionStep): void {
  const settings = step.context.deadlines;
  if (!settings) return;
  const { view, signals, conversation } = step;
  const now = Date.parse(step.at);
  const next: { [Kind in DeadlineKind]?: Deadline } = { ...step.deadlines };
  const keep = (kind: DeadlineKind, wanted: boolean, seconds: number, again = false) => {
    if (!wanted) delete next[kind];
    else if (again || !next[kind]) next[kind] = { at: now + seconds * 1000, seconds };
  };
  // These belong to one turn in one process.
  if (view.turn?.id !== step.before.turn?.id || !conversation) for (const kind of DURABLE) delete next[kind];
  const running = view.turn !== undefined;
  const asking = sessionState(view) === "waiting";
  const working = running && step.isReady && !asking;
  if (signals.loginChosen) keep("handshake", true, settings.loginSeconds);
  const stage = conversation && !step.isReady && !asking ? handshakeStage(conversation) : undefined;
  const { handshakeSeconds, resumeSeconds = handshakeSeconds } = settings;
  const isNextStage = next.handshake?.stage !== stage?.name && !signals.loginChosen;
  keep("handshake", stage !== undefined, stage?.resumes ? resumeSeconds : handshakeSeconds, isNextStage);
  if (next.handshake && stage) next.handshake = { ...next.handshake, stage: stage.name };
  if (signals.prompted) keep("firstOutput", true, settings.firstOutputSeconds);
  else if (signals.progress || signals.retry || !running) delete next.firstOutput;
  if (!running || signals.progress) delete next.retry;
  if (running && signals.retry) {
    const seconds = isRefusal(signals.retry) ? (settings.limitRetrySeconds ?? Infinity) : Infinity;
    keep("retry", true, Math.min(seconds, settings.retrySeconds));
    if (next.retry) next.retry = { ...next.retry, failure: signals.retry };
  }
  keep("interrupt", view.turn?.stopping === true, settings.interruptSeconds);
  // Anything that the agent prints about the turn from now on proves that the turn's end was not lost.
  if (signals.progress || !running) delete next.lostOutput;
  if (signals.outputLost) keep("lostOutput", running && !asking, settings.lostOutputSeconds, true);
  const toolRuns = view.tools.some(({ item }) => !isInTask(view, item));
  // The line may have been the end of the turn. A running tool explains the silence.
  if (signals.unread && working && !toolRuns && !next.lostOutput) keep("lostOutput", true, settings.lostOutputSeconds);
  keep("turn", working, settings.turnSeconds);
  keep("silence", working && !toolRuns, settings.silenceSeconds, signals.received);
  keep("settle", !running && view.sent.length > 0, SETTLE_SECONDS);
  const stopTask = { now, current: next.task, passed: signals.taskOverdue };
  const task = taskStopDeadline(view, settings.interruptSeconds, stopTask);
  if (task) next.task = task;
  else delete next.task;
  const trail = trailMs(conversation);
  const late = String(conversation?.channel.trail?.late(conversation.state) ?? 0);
  keep("trail", trail !== undefined, (trail ?? 0) / 1000, next.trail?.stage !== late);
  if (next.trail) next.trail = { ...next.trail, stage: late };
  const queued = view.queue.length > 0 && !view.limit && view.queueState !== "paused";
  const hasTask = runningTasks(view).length > 0;
  const busy = running || view.sent.length > 0 || queued || !view.inputs.every(isProposal) || hasTask;
  keep("idle", conversation !== undefined && !busy, settings.idleSeconds);
  if (conversation && DURABLE.some((kind) => next[kind] && next[kind]?.at !== step.deadlines[kind]?.at))
    step.needsMark = true;
  step.deadlines = next;
}

/** Channels without named stages have one. */
function handshakeStage({ channel, state }: Conversation): HandshakeStage {
  return channel.stage?.(state) ?? { name: START };
}

/** A deadline of the state has passed. */
export function deadlinePassed(step: SessionStep, kind: DeadlineKind): void {
  const { [kind]: passed, ...rest } = step.deadlines;
  step.deadlines = rest;
  if (!passed) return;
  if (kind === "idle") return step.effect({ type: "release", reason: "idle" });
  if (kind === "task") return endOverdueTasks(step, passed);
  // A turn that the agent has ended keeps its own outcome.
  if (endTrail(step) || kind === "trail") return;
  if (kind === "settle") return requeueUnsettled(step);
  if (kind === "silence") return reportStall(step, passed.seconds);
  if (step.view.turn) return failTurn(step, kind, passed);
  if (kind === "handshake") step.effect({ type: "stop", reason: "deadline" });
}

function failTurn(step: SessionStep, kind: DeadlineKind, passed: Deadline): void {
  if (kind === "interrupt") {
    const reason = `the agent did not stop within ${passed.seconds} s; its process was ended`;
    endTurn(step, { outcome: "interrupted", reason }, true);
  } else {
    endFailedTurn(step, { outcome: "failed", reason: `deadline: ${kind}`, error: deadlineFailure(step, kind, passed) });
  }
  requeueUndelivered(step);
  step.effect({ type: "stop", reason: "deadline" });
  drainQueue(step);
}

function deadlineFailure(step: SessionStep, kind: DeadlineKind, deadline: Deadline): Failure {
  const { seconds, failure: last, stage } = deadline;
  const isStaged = kind === "handshake" && stage !== undefined && stage !== START;
  const staged = `The agent did not answer ${stage} within ${seconds} s, so the conversation could not be opened.`;
  const texts: Partial<Record<DeadlineKind, string>> = {
    handshake: `The agent did not open the conversation within ${seconds} s.`,
    firstOutput: `The agent sent no answer within ${seconds} s of the prompt.`,
    retry: `The agent retried for ${seconds} s.${last ? ` Last error: ${last.message}` : ""}`,
    turn: `The turn took longer than ${seconds} s.`,
  };
  const wait = isStaged ? staged : (texts[kind] ?? `The agent sent no answer within ${seconds} s.`);
  // An agent that retried, or worked until the end, was read.
  const unread = kind === "retry" || kind === "turn" ? undefined : unreadFailure(step.conversation, wait);
  if (unread) return isStaged ? { ...unread, stage } : unread;
  if (kind === "lostOutput") return lostOutputFailure(seconds);
  const category: FailureCategory = kind === "retry" ? (last?.category ?? "network") : "timeout";
  return isStaged ? { ...failure(category, wait), stage } : failure(category, wait);
}

function lostOutputFailure(seconds: number): Failure {
  return failure(
    "protocol",
    `Output of the agent was lost during the turn, and it has printed nothing for ${seconds} s since. Everything before is stored.`,
    "Check the files that it was working on, then send the message again. The conversation resumes.",
  );
}

/** The disk was full while the agent was working, and has room again. All output until now was received. */
export function diskFreed(step: SessionStep, { since }: { since: string }): void {
  const text = `The disk was full since ${since} and has room again. Output of the agent in that time may be missing; everything before is stored.`;
  step.emit("notice", { kind: "storage", severity: "warning", text });
  step.signals.outputLost = true;
}

/** Another program truncated or deleted the file with the agent's output, which had been read up to `from`. */
export function outputCut(step: SessionStep, { from, to }: { from: number; to: number }): void {
  const text = `Another program cut the recording of the agent's output from ${from} to ${to} bytes. Output that was not read before is lost; everything that was read is stored.`;
  step.emit("notice", { kind: "storage", severity: "warning", text });
  if (step.conversation) step.conversation.offset = to;
  step.needsMark = true;
  step.signals.outputLost = true;
}

function reportStall(step: SessionStep, seconds: number): void {
  if (!step.view.turn || step.view.stalled) return;
  const reason = `No output from the agent for ${seconds} s.`;
  step.emit("health.stalled", { since: step.at, reason, actions: ["wait", "interrupt", "steer"] });
}

/** The agent printed something after a stall. */
export function reportRecovery(step: SessionStep): void {
  const { stalled } = step.view;
  if (!stalled) return;
  step.emit("health.recovered", { since: stalled.since, reason: "the agent prints again", actions: [] });
}

/** A message was sent while its turn was ending, and the agent never started on it. */
function requeueUnsettled(step: SessionStep): void {
  if (step.view.turn || step.view.sent.length === 0) return;
  requeueUndelivered(step);
  drainQueue(step);
}
