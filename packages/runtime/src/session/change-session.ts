import type { Applied, PatchSession } from "@gantry/protocol";
import { appliedMode, unenforcedNotice } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import type { ModelSwitch } from "../handoff/model-switch.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { SessionActor } from "./actor.ts";
import { toClientSession } from "./client-view.ts";
import { type Choices, requireNoTurn } from "./requests.ts";

export type ChangeDeps = {
  agent: (id: string) => Agent | undefined;
  limits: LimitKeeper;
  modelSwitch: ModelSwitch;
  requireChoices: (agent: Agent, choices: Choices) => Promise<void>;
};

/**
 * Changes a session's settings. A model of another agent is a handoff; the other settings then apply to the next agent.
 * The reply has the time from which each setting applies: now, or from the next start of the agent.
 */
export async function changeSession(deps: ChangeDeps, actor: SessionActor, body: PatchSession): Promise<Applied> {
  const switched = await deps.modelSwitch.handOffIfNeeded(actor, body);
  if (switched) {
    const rest = Object.keys(switched.rest).length > 0 ? await changeSession(deps, actor, switched.rest) : undefined;
    const { applied, handoff } = switched;
    return { session: toClientSession(actor.view), applied: [...applied, ...(rest?.applied ?? [])], handoff };
  }
  const { title, model, mode, effort, archived, autoResume, budget } = body;
  const agent = deps.agent(actor.view.agent);
  if (agent) await deps.requireChoices(agent, { model: model ?? actor.view.model, effort });
  const modeApplied = mode && agent ? appliedMode(agent, mode) : undefined;
  const titleBy = title === undefined ? undefined : ("user" as const);
  // Unconfirmed until the agent reports it.
  const confirmed = modeApplied ? { modeApplied, modeConfirmed: false, modeNative: null } : {};
  const patch = { title, titleBy, model, mode, effort, ...confirmed, archived, autoResume, budget };
  const changed = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  if (archived) requireNoTurn(actor.view);
  const warning = modeApplied && agent ? unenforcedNotice(agent, modeApplied) : undefined;
  const turn = actor.view.turn?.id;
  actor.apply("recordEvents", [
    { type: "session.updated", data: { patch: changed, reason: "changed by the user" }, turn },
    ...(warning ? [{ type: "notice" as const, data: warning, turn }] : []),
  ]);
  if (autoResume !== undefined || budget !== undefined) deps.limits.changed();
  if (archived) await actor.release("closed");
  const applied: Applied["applied"] = Object.entries({ title, archived, autoResume, budget }).flatMap(
    ([field, value]) => (value === undefined ? [] : [{ field, value, when: "now" as const }]),
  );
  applied.push(...(await changeRunning(actor, { model, mode: modeApplied, effort })));
  return { session: toClientSession(actor.view), applied };
}

/** Passes settings to the running process. An idle process that refuses one is released: the next one starts with it. */
async function changeRunning(
  actor: SessionActor,
  settings: { model?: string; mode?: string; effort?: string },
): Promise<Applied["applied"]> {
  const applied: Applied["applied"] = [];
  for (const field of ["model", "mode", "effort"] as const) {
    const value = settings[field];
    if (value === undefined) continue;
    const result = await actor.changeSetting(field, value);
    applied.push({ field, value, when: result?.ok ? "now" : "next_start" });
    if (result && !result.ok && !actor.view.turn) await actor.release("settings");
  }
  return applied;
}
