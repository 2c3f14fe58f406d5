import { type Failure, type FailureCategory, failure } from "@gantry/protocol";
import { requeueUnbegun } from "./delivery.ts";
import { drain } from "./queue.ts";
import type { SessionStep } from "./step.ts";
import { endTurn } from "./turns.ts";

/** Every wait that has an end of ours, not the agent's. */
export type DeadlineKind = "handshake" | "firstOutput" | "silence" | "retry" | "turn" | "interrupt" | "settle";

/** The time of `kind` is over. `seconds` is what it was given, `last` what the agent last said of its retries. */
export function deadlinePassed(step: SessionStep, kind: DeadlineKind, seconds: number, last?: Failure): void {
  const { view } = step;
  if (kind === "settle") return settle(step);
  if (kind === "silence") return stalled(step, seconds);
  if (!view.turn) {
    if (kind === "handshake") step.effect({ type: "stop", reason: "deadline" });
    return;
  }
  if (kind === "interrupt") {
    endTurn(
      step,
      { outcome: "interrupted", reason: `the agent did not stop within ${seconds} s; its process was ended` },
      true,
    );
  } else {
    endTurn(step, { outcome: "failed", reason: `deadline: ${kind}`, error: explain(kind, seconds, last) }, true);
  }
  requeueUnbegun(step);
  step.effect({ type: "stop", reason: "deadline" });
  drain(step);
}

function explain(kind: DeadlineKind, seconds: number, last?: Failure): Failure {
  const said = last ? ` Last: ${last.message}` : "";
  const texts: Record<string, string> = {
    handshake: `The agent did not open the conversation within ${seconds} s.`,
    firstOutput: `The agent said nothing within ${seconds} s of the prompt.`,
    retry: `The agent kept retrying for ${seconds} s.${said}`,
    turn: `The turn took longer than ${seconds} s.`,
  };
  const category: FailureCategory = kind === "retry" ? (last?.category ?? "network") : "timeout";
  return failure(category, texts[kind] ?? `A deadline of ${seconds} s passed (${kind}).`);
}

function stalled(step: SessionStep, seconds: number): void {
  if (!step.view.turn || step.view.stalled) return;
  const since = step.context.now();
  const reason = `No word from the agent for ${seconds} s.`;
  step.emit("health.stalled", { since, reason, actions: ["wait", "interrupt", "steer"] });
}

/** The agent speaks again. */
export function recovered(step: SessionStep): void {
  const stalled = step.view.stalled;
  if (!stalled) return;
  step.emit("health.recovered", { since: stalled.since, reason: "the agent speaks again", actions: [] });
}

/** A message was handed over after the turn's end was already under way, and nothing came of it. */
function settle(step: SessionStep): void {
  if (step.view.turn || step.view.sent.length === 0) return;
  requeueUnbegun(step);
  drain(step);
}
