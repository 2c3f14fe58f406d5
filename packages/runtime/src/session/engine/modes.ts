import { resolve } from "node:path";
import { type Draft, type FileChange, failure, isModeAbove, type Mode, substituteMode } from "@gantry/protocol";
import { WRITES } from "./inputs/grant-scope.ts";
import { drainQueue } from "./queue.ts";
import type { SessionStep } from "./step.ts";
import { endTurn } from "./turns.ts";

/**
 * The agent reports the mode of an open conversation. It becomes the session's applied mode, for `inherit` too. A mode
 * above the permitted one breaks the promise, so the process is stopped before it gets a prompt, or at once if the agent
 * reports its mode only while it works.
 */
export function reportMode(step: SessionStep, mode: Mode | undefined, native: string | undefined): void {
  if (!step.context.enforcesModes || (mode === undefined && native === undefined)) return;
  const { view } = step;
  const to = mode ?? view.modeApplied ?? view.mode;
  // A native mode that several modes share does not prove which of them applies.
  const modeConfirmed = mode !== undefined || view.mode === "inherit";
  if (view.modeApplied !== to || view.modeConfirmed !== modeConfirmed || view.modeNative !== native) {
    const patch = { modeApplied: to, modeConfirmed, modeNative: native ?? null };
    step.emit("session.updated", { patch, reason: "reported by the agent" });
  }
  if (isModeAbove(to, limitOf(step))) refuseMode(step, to);
}

/** The most permissive mode that the session may have: the requested one, or the strictest one of an agent without it. */
function limitOf({ view: { mode }, context: { agent } }: SessionStep): Mode {
  return agent.offeredModes ? substituteMode(mode, agent.offeredModes) : mode;
}

function refuseMode(step: SessionStep, mode: Mode): void {
  const { name } = step.context.agent;
  const message = `${name} runs in ${mode}, which allows more than the requested ${step.view.mode}. Gantry stopped it.`;
  const remedy = `Choose ${mode} or inherit for this session, or change the configuration of ${name}.`;
  const error = failure("protocol", message, remedy);
  if (step.view.turn) endTurn(step, { outcome: "failed", reason: "mode", error }, true);
  else step.emit("error", error);
  step.effect({ type: "stop", reason: "settings" });
  drainQueue(step);
}

/** Records a mode that the agent changed to. A change to more permission that was not requested is reported. */
export function changeMode(step: SessionStep, event: Draft<"mode.changed">): void {
  const { mode, planApproved, turn } = step.view;
  const { to, native } = event.data;
  step.record(turn && event.turn === undefined ? { ...event, turn: turn.id } : event);
  if (planApproved !== undefined || !isModeAbove(to, limitOf(step))) return;
  const how = native && native !== to ? `${to} (its own mode ${native})` : to;
  reportBreak(step, `${step.context.agent.name} changed its mode to ${how}. Requested was ${mode}.`);
}

/**
 * Reports a file that the agent changed in plan mode without an approval. Commands are not judged: most of them read.
 * Plans that an agent stores outside the session's folder are not the project's files.
 */
export function reportPlanWrite(step: SessionStep, event: Draft<"tool.ended">): void {
  const { mode, modeApplied, cwd, tools } = step.view;
  if (mode !== "plan" || modeApplied !== "plan" || event.data.status !== "ok") return;
  const tool = tools.find(({ item }) => item === event.data.item);
  if (!tool || tool.approved || !WRITES.has(tool.kind)) return;
  const changed = (event.data.changes ?? []).map(({ path }: FileChange) => path);
  const paths = changed.length > 0 ? changed : tool.path ? [tool.path] : [];
  const inside = paths.filter((path) => resolve(cwd, path).startsWith(`${cwd}/`));
  if (paths.length > 0 && inside.length === 0) return;
  const what = inside.length > 0 ? inside.join(", ") : tool.title;
  reportBreak(step, `${step.context.agent.name} changed files in plan mode: ${what}.`);
}

function reportBreak(step: SessionStep, text: string): void {
  if (!step.context.enforcesModes) return;
  step.emit("notice", { kind: "mode_broken", severity: "error", text: `Mode broken: ${text}` });
}
