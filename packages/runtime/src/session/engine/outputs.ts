import { type Draft, type Failure, failure, type SessionView } from "@gantry/protocol";
import type { DecoderEvent, Output } from "../../agents/contract.ts";
import { requeueUnbegun } from "./delivery.ts";
import { takenUp } from "./handoff-outcome.ts";
import { ask, CONTINUITY, withdraw } from "./inputs.ts";
import { mayRetry, told } from "./limits.ts";
import { drain } from "./queue.ts";
import type { SessionStep } from "./step.ts";
import { closeOpen, endTurn, offered } from "./turns.ts";

/**
 * Takes in what the agent said. Never throws for it: what makes no sense is dropped or kept as raw. `synthetic` marks
 * what a decoder concluded from the end of the process.
 */
export function takeOutput(step: SessionStep, output: Output, synthetic = false): void {
  take(step, output, synthetic);
  if (!synthetic) takenUp(step, output);
}

function take(step: SessionStep, output: Output, synthetic: boolean): void {
  switch (output.kind) {
    case "event":
      return takeEvent(step, output.event);
    case "delta":
      return streamed(step, output);
    case "activity":
      return step.live({
        type: "activity",
        session: step.view.id,
        state: output.state,
        ...some("detail", output.detail),
      });
    case "retry": {
      const { kind: _, failure: failed, ...retry } = output;
      step.live({ type: "retry", session: step.view.id, ...retry });
      if (failed && !mayRetry(step, output)) stopRetrying(step, failed);
      return;
    }
    case "begin":
      return begin(step, output.messages ?? []);
    case "finish":
      return finish(step, output, synthetic);
    case "taken":
      return taken(step, output.message, output.inline);
    case "dropped":
      return dropped(step, output.message, output.reason);
    case "ask":
      return ask(step, output.key, output.request, output.ext);
    case "withdrawn":
      return withdraw(step, output.key, output.reason);
    case "ready":
      return ready(step, output);
    case "lost":
      return lost(step, output.message);
    case "applied":
      return applied(step, output);
    default:
      return;
  }
}

/** Others wait for the same limit: one more request would be refused like theirs. */
function stopRetrying(step: SessionStep, failed: Failure): void {
  endTurn(step, { outcome: "failed", reason: "limit", error: failed }, true);
  requeueUnbegun(step);
  step.effect({ type: "stop", reason: "deadline" });
  drain(step);
}

/** Pieces of an item that is closed already, or of no turn, are late: the whole item is or was told by its event. */
function streamed(step: SessionStep, { item, channel, text }: Extract<Output, { kind: "delta" }>): void {
  if (step.view.turn && !step.hasClosed(item)) step.delta(item, channel, text);
}

function some<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

/** Law 3 at the door: one start and one end for each, whatever the agent repeats or forgets. */
function takeEvent(step: SessionStep, event: Draft<DecoderEvent>): void {
  switch (event.type) {
    case "tool.started":
      return toolStarted(step, event);
    case "tool.updated":
      if (isOpen(step, event.data.item)) step.record(inTurn(step.view, event));
      return;
    case "tool.ended":
      // An end without a start is the echo of one that is closed already.
      if (!isOpen(step, event.data.item)) return;
      step.settle(event.data.item);
      return step.record(inTurn(step.view, event));
    case "subagent.started":
      if (!step.view.turn || isSubagent(step, event.data.id)) return setAside(step, event);
      return step.record(inTurn(step.view, event));
    case "subagent.updated":
    case "subagent.ended":
      if (isSubagent(step, event.data.id)) step.record(inTurn(step.view, event));
      return;
    case "message.done":
    case "reasoning.done":
      if (step.hasClosed(event.data.item)) return setAside(step, event);
      streamRest(step, event);
      step.settle(event.data.item);
      return step.record(inTurn(step.view, event));
    case "message.retracted":
      for (const item of event.data.items) step.settle(item);
      return step.record(inTurn(step.view, event));
    case "limit.reached":
    case "limit.cleared":
      return told(step, inTurn(step.view, event));
    case "error":
      return step.record(inTurn(step.view, { ...event, data: offered(step, event.data) }));
    default:
      return step.record(inTurn(step.view, event));
  }
}

/** Whoever follows the deltas of an item has its whole text before it is said to be whole. */
function streamRest(step: SessionStep, { type, data: { item, text } }: Draft<"message.done" | "reasoning.done">): void {
  const channel = type === "message.done" ? "text" : "reasoning";
  const streamed = step.open.get(`${item} ${channel}`)?.text;
  if (streamed !== undefined && step.view.turn && text.startsWith(streamed))
    step.delta(item, channel, text.slice(streamed.length));
}

function toolStarted(step: SessionStep, event: Draft<"tool.started">): void {
  const { item, title, input, locations } = event.data;
  if (!step.view.turn || step.hasClosed(item)) return setAside(step, event);
  // Only a model that answers has tools called.
  step.context.gate?.answered(step.view);
  if (!isOpen(step, item)) return step.record(inTurn(step.view, event));
  step.emit("tool.updated", { item, patch: { title, input, locations } });
}

/** Said twice, or after the turn it belongs to: kept and counted, but not mixed into the story. */
function setAside(step: SessionStep, event: Draft<DecoderEvent>): void {
  const reason = step.view.turn ? "said again" : "after the end of the turn";
  step.emit("raw", { channel: "engine", frame: { type: event.type, data: event.data }, reason });
}

function isOpen(step: SessionStep, item: string): boolean {
  return step.view.tools.some((tool) => tool.item === item);
}

function isSubagent(step: SessionStep, id: string): boolean {
  return step.view.subagents.some((subagent) => subagent.id === id);
}

function inTurn<T extends Draft>(view: SessionView, event: T): T {
  return view.turn && event.turn === undefined ? { ...event, turn: view.turn.id } : event;
}

/** The agent works. It is our turn, a steered message that became a turn of its own, or the agent's own idea. */
function begin(step: SessionStep, messages: string[]): void {
  if (step.view.turn) return;
  const ours = step.view.sent.filter((entry) => messages.length === 0 || messages.includes(entry.message));
  const turn = step.context.id("turn");
  const ids = ours.map((entry) => entry.message);
  step.emit("turn.started", { trigger: ids.length > 0 ? "steer" : "resume", messages: ids }, { turn });
}

function finish(step: SessionStep, output: Extract<Output, { kind: "finish" }>, synthetic: boolean): void {
  // A second end of the same turn, or one after we have ended it ourselves.
  if (!step.view.turn) return;
  const { kind: _, ...end } = output;
  endTurn(step, end, synthetic);
  drain(step);
}

function taken(step: SessionStep, message: string, inline: boolean): void {
  if (!step.view.sent.some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: inline ? "inline" : "delivered" });
}

function dropped(step: SessionStep, message: string, reason: string): void {
  if (!step.view.sent.some((entry) => entry.message === message)) return;
  step.emit("message.delivery", { message, state: "queued", position: 0, reason });
  drain(step);
}

function ready(step: SessionStep, output: Extract<Output, { kind: "ready" }>): void {
  const { agent, handles, servedModel } = step.view;
  if (output.handle && handles[agent] !== output.handle) {
    const forked = handles[forkKey(agent)] === undefined ? {} : { [forkKey(agent)]: null };
    step.emit("session.updated", { patch: { handles: { [agent]: output.handle, ...forked } } });
  }
  if (output.model && output.model !== servedModel) {
    step.emit("model.changed", { ...some("from", servedModel), to: output.model });
  }
}

/** Where a session keeps the conversation that it is to be a copy of, until it has its own. */
export function forkKey(agent: string): string {
  return `${agent}#fork`;
}

/** Never a new conversation in silence: the person chooses how to go on, and the turn waits for it. */
function lost(step: SessionStep, message: string): void {
  if (step.view.inputs.some((input) => input.native === CONTINUITY)) return;
  step.effect({ type: "stop", reason: "lost" });
  step.record(inTurn(step.view, { type: "error", data: failure("protocol", message, "Choose how to go on.") }));
  ask(step, CONTINUITY, {
    kind: "question",
    title: "The agent's own conversation cannot be resumed. How shall it go on?",
    detail: message,
    questions: [
      {
        id: "continuity",
        text: "How shall it go on?",
        options: [
          { label: "retry", description: "Try to resume the same conversation once more." },
          { label: "rebuild", description: "Start a new conversation with what this session's log holds." },
          { label: "new", description: "Start a new conversation that knows nothing of the earlier one." },
        ],
        multi: false,
        freeform: false,
        secret: false,
      },
    ],
  });
}

function applied(step: SessionStep, output: Extract<Output, { kind: "applied" }>): void {
  if (output.ok) return;
  const text = output.message ?? `The agent did not take ${output.field} ${output.value}.`;
  step.emit("notice", { kind: "setting", severity: "warning", text });
}

/** The process is gone. What it left open is closed; what waits in the queue gets its turn with a new process. */
export function processEnded(
  step: SessionStep,
  how: { code: number | null; signal: string | null; note?: string },
): void {
  if (step.view.inputs.some((input) => input.native === CONTINUITY)) return;
  if (!step.view.turn) {
    closeOpen(step, "the agent's process ended");
    requeueUnbegun(step);
    drain(step);
    return;
  }
  const end = how.signal ? `was ended by ${how.signal}` : `exited with code ${how.code ?? "unknown"}`;
  const message = `The agent's process ${end} in the middle of the turn.${how.note ? ` ${how.note}` : ""}`;
  endTurn(step, { outcome: "failed", reason: "crashed", error: failure("crashed", message) }, true);
  requeueUnbegun(step);
  drain(step);
}
