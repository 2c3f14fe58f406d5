import { draft, type Failure, failure, type ReleaseReason, type SessionView } from "@gantry/protocol";
import type { Exit } from "../../process/exit.ts";
import { awaitsContinuity } from "./inputs/inputs.ts";
import { closeOpenItems, requeueUndelivered } from "./items.ts";
import { endTrail, receiveFrame } from "./outputs.ts";
import { injectionNotice } from "./prompts.ts";
import { drainQueue } from "./queue.ts";
import { summariseRaw } from "./reading/unread.ts";
import type { EngineState, Injection } from "./state.ts";
import type { SessionStep } from "./step.ts";
import { endFailedTurn } from "./stop.ts";
import { loseTasks } from "./tasks/tasks.ts";
import { endTurn } from "./turns.ts";

const RESTART_DELAY_MS = 300;

/** A running turn needs a process, unless it waits for the choice of how to continue a lost conversation. */
export function needsProcess(view: SessionView): boolean {
  return view.turn !== undefined && !awaitsContinuity(view);
}

/**
 * `notices`: parts of the kit that the agent does not get. `untrusted`: the project's code that it was started without.
 * `version`: why its version is not supported. `injection`: pinned context that the start injected.
 */
export type LaunchResult = {
  notices: readonly string[];
  untrusted?: string;
  version?: string;
  injection?: Injection;
};

/** A process runs, and the state holds its conversation: the handshake starts. */
export function processLaunched(step: SessionStep, { notices, untrusted, version, injection }: LaunchResult): void {
  for (const text of notices) step.emit("notice", { kind: "kit", severity: "warning", text });
  if (untrusted) step.emit("notice", { kind: "untrusted", severity: "warning", text: untrusted });
  if (version) step.emit("notice", { kind: "version", severity: "warning", text: version });
  if (injection) step.emit("notice", injectionNotice(injection));
  startHandshake(step);
}

/** Sends the first frames of a conversation. */
export function startHandshake(step: SessionStep): void {
  const { conversation } = step;
  if (!conversation) return;
  // A process of one turn got its prompt at its start.
  if (conversation.channel.perTurn) step.signals.prompted = true;
  for (const frame of conversation.channel.open(conversation.state)) step.sendFrame(frame);
}

export function launchFailed(step: SessionStep, error: Failure): void {
  endTurn(step, { outcome: "failed", reason: "not started", error }, true);
  drainQueue(step);
}

/** The agent no longer reads its stdin. */
export function stdinClosed(step: SessionStep, message: string): void {
  endTrail(step);
  if (!step.view.turn) return;
  const error = failure(
    "protocol",
    `The agent does not accept input: ${message}.`,
    "Send the message again. Gantry starts the agent again and resumes the conversation.",
  );
  endFailedTurn(step, { outcome: "failed", reason: "no input", error });
  step.effect({ type: "stop", reason: "deadline" });
  drainQueue(step);
}

/**
 * The agent closed its stdin before any byte of a frame was written. If the turn has not begun, nothing is lost by
 * starting another process, once per turn.
 */
export function promptUndelivered(step: SessionStep, message: string): void {
  const { turn } = step.view;
  if (!turn || turn.stopping || !step.isReady || step.hasWorked || step.restartedTurn === turn.id)
    return stdinClosed(step, message);
  step.restartedTurn = turn.id;
  const text = "The agent had closed its standard input. Gantry starts it again and sends the message.";
  step.emit("notice", { kind: "restart", severity: "warning", text });
  step.effect({ type: "stop", reason: "deadline" });
}

/** The process ended and all of its output was received. */
export function processExited(step: SessionStep, exit: Exit): void {
  summariseRaw(step);
  if (mayRestart(step)) return restart(step, exit);
  receiveFrame(step, { dir: "end", ...exit }, step.conversation?.offset ?? 0);
  loseTasks(step, `the agent's process ${describeExit(exit)}`);
  recordExit(step, exit, `the agent's process ${describeExit(exit)}`);
  const promptPending = isPromptPending(step) && !step.view.turn?.stopping;
  const { ready, complaint } = step.conversation ?? {};
  step.conversation = undefined;
  // A turn that this process never got is not its failure: the next process gets it.
  if (!promptPending) endProcess(step, exit, { opened: ready !== false, complaint });
}

/**
 * A process that ended during the handshake got no prompt, so nothing is lost by starting another, once per turn: some
 * agents fail when several start in a fresh home, and a version may lack the channel that was assumed.
 */
function mayRestart({ view, conversation, restartedTurn }: SessionStep): boolean {
  if (!view.turn || !conversation || conversation.ready || restartedTurn === view.turn.id) return false;
  return !awaitsContinuity(view);
}

/** Cancels the inputs of the first process: the second asks again. */
function restart(step: SessionStep, exit: Exit): void {
  step.conversation = undefined;
  step.restartedTurn = step.view.turn?.id;
  step.effect({ type: "delayStart", ms: RESTART_DELAY_MS });
  for (const { id } of step.view.inputs) {
    const reason = "the agent's process ended";
    step.emit("input.resolved", { id, decision: "cancel", by: "gantry", reason }, { synthetic: true });
  }
  const text = `The agent's process ${describeExit(exit)} before the conversation was open. Gantry starts it again.`;
  step.emit("notice", { kind: "restart", severity: "warning", text });
}

function isPromptPending({ before, view, conversation }: SessionStep): boolean {
  const { turn } = view;
  if (!turn) return false;
  const startedByExit = turn.id !== before.turn?.id;
  const prompted = turn.messages.length === 0 || turn.messages.some((id) => conversation?.prompted.includes(id));
  return startedByExit || (conversation?.ready === true && !prompted);
}

/** Whether the process had opened the conversation, and what it printed to stderr. */
type LastState = { opened: boolean; complaint?: string };

/** Ends what the process left open. The queue continues with a new process. */
export function endProcess(step: SessionStep, exit: Exit, { opened, complaint }: LastState = { opened: true }): void {
  loseTasks(step, `the agent's process ${describeExit(exit)}`);
  if (awaitsContinuity(step.view)) return;
  if (step.view.turn) {
    const when = opened ? "in the middle of the turn" : "before it opened the conversation";
    const message = `The agent's process ${describeExit(exit)} ${when}.${complaint ? ` It printed: ${complaint}` : ""}`;
    const remedy = opened ? undefined : "Run the agent in a terminal to see why it ends, then send the message again.";
    endFailedTurn(step, { outcome: "failed", reason: "crashed", error: failure("crashed", message, remedy) });
  } else closeOpenItems(step, "the agent's process ended");
  requeueUndelivered(step);
  drainQueue(step);
}

function describeExit({ code, signal }: Exit): string {
  return signal ? `was ended by ${signal}` : `exited with code ${code ?? "unknown"}`;
}

/** Asks the agent to close the conversation, if it can. Returns the key of its acknowledgement. */
export function closeConversation(step: SessionStep): string | undefined {
  const { conversation } = step;
  if (conversation?.ready) step.sendCommand({ type: "close" });
  if (conversation && step.frames.length > 0) conversation.closing = true;
  step.stopsSending = true;
  return step.frames.at(-1)?.key;
}

/** A harmless question whose answer acknowledges `key`. `false`: the channel has none. */
export function ping(step: SessionStep, key: string): boolean {
  const { conversation } = step;
  const frames = conversation?.channel.encode(conversation.state, { type: "ping", key }) ?? [];
  for (const frame of frames) step.sendFrame({ ...frame, key });
  return frames.length > 0;
}

/** The state once Gantry gave up the process: nothing more is read from it. */
export function disconnect({ view, closed, deadlines, restartedTurn, firstOutput }: EngineState): EngineState {
  const { settle } = deadlines;
  return { view, closed, restartedTurn, firstOutput, open: new Map(), deadlines: settle ? { settle } : {} };
}

const TEXTS: Record<ReleaseReason, string> = {
  idle: "the agent's process was released because it was idle",
  evicted: "the agent's process was released because too many processes were running",
  closed: "the session was closed",
  deadline: "the agent did not respond, so its process was ended",
  interrupted: "the agent's process was ended to stop the turn",
  shutdown: "Gantry was stopped with its agents",
  restart: "the agent's process has ended",
  lost: "the agent's conversation could not be resumed",
  unopened: "the agent's conversation could not be opened",
  login: "the agent's process was restarted for a login",
  handoff: "the session was handed off to another agent",
  settings: "the agent's process was restarted with other settings",
  exited: "the agent's process exited",
  crashed: "the agent's process crashed",
};

/** Gantry ended the process. Called when the process is gone, and before the next one starts. */
export function processReleased(step: SessionStep, reason: ReleaseReason): void {
  loseTasks(step, TEXTS[reason]);
  recordRelease(step, reason, TEXTS[reason]);
}

/** A process that serves several turns ended, and Gantry did not end it. Recordings have no processes. */
function recordExit(step: SessionStep, exit: Exit, text: string): void {
  if (!step.context.deadlines || step.conversation?.channel.perTurn) return;
  recordRelease(step, exit.code === 0 ? "exited" : "crashed", text);
}

/** The event belongs to no turn: the next one may have started while the process ended. */
function recordRelease(step: SessionStep, reason: ReleaseReason, text: string): void {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  step.record(draft("process.released", { agent: step.view.agent, reason, text: sentence }));
}
