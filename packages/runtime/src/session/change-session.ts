import { isDeepStrictEqual } from "node:util";
import {
  type Applied,
  type ControlValues,
  changeControls,
  type Mode,
  type PatchSession,
  type SessionServers,
} from "@gantry/protocol";
import { appliedMode, modeNotice, modeWithControls, requireControls, withheldNotice } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import type { ModelSwitch } from "../handoff/model-switch.ts";
import type { LimitKeeper } from "../limits/port.ts";
import type { Store } from "../log/port.ts";
import type { SessionActor } from "./actor.ts";
import type { ActorDeps } from "./actor-deps.ts";
import { toClientSession } from "./client-view.ts";
import { resolveFolders, withheldIn } from "./extra-folders/extra-folders.ts";
import { type Choices, requireNoTurn } from "./requests.ts";
import { readSessionServers, serversRecord } from "./storage/session-servers.ts";

export type ChangeDeps = Pick<ActorDeps, "projectCode" | "protectedPlaces" | "store"> & {
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
  const { servers, ...settings } = body;
  const hasSettings = Object.keys(settings).length > 0;
  const { applied, handoff } = hasSettings
    ? await changeSettings(deps, actor, settings)
    : { applied: [], handoff: undefined };
  const added = servers ? await changeServers(deps.store, actor, servers) : [];
  return { session: toClientSession(actor.view), applied: [...applied, ...added], ...(handoff ? { handoff } : {}) };
}

async function changeSettings(deps: ChangeDeps, actor: SessionActor, body: PatchSession): Promise<Applied> {
  const switched = await deps.modelSwitch.handOffIfNeeded(actor, body);
  if (switched) {
    const rest = Object.keys(switched.rest).length > 0 ? await changeSettings(deps, actor, switched.rest) : undefined;
    const { applied, handoff } = switched;
    return { session: toClientSession(actor.view), applied: [...applied, ...(rest?.applied ?? [])], handoff };
  }
  const { title, model, mode, effort, archived, autoResume, budget, lead } = body;
  const agent = deps.agent(actor.view.agent);
  // Without a requested model, the session has the agent's default.
  const current = model === null ? undefined : actor.view.model;
  const named = { model: model ?? undefined, effort: effort ?? undefined };
  if (agent) await deps.requireChoices(agent, { ...named, current });
  const folders = body.folders && changeFolders(deps, actor, agent, body.folders);
  const controls = body.controls && changeControls(actor.view.controls, body.controls);
  const nextMode = mode ?? actor.view.mode;
  if (agent && body.controls) requireControls(agent, nextMode, controls, Object.keys(body.controls));
  const effective = controls ?? actor.view.controls;
  const modeApplied = (mode || controls) && agent ? modeWithControls(agent, nextMode, effective) : undefined;
  // Unconfirmed until the agent reports it.
  const confirmed =
    modeApplied && (mode || !actor.hasProcess) ? { modeApplied, modeConfirmed: false, modeNative: null } : {};
  const controlsApplied = body.controls && withoutKeys(actor.view.controlsApplied, Object.keys(body.controls));
  const patch = {
    title,
    titleBy: title === undefined ? undefined : ("user" as const),
    model,
    mode,
    effort,
    controls,
    controlsApplied,
    ...confirmed,
    archived,
    autoResume,
    budget,
    folders,
    lead,
  };
  const changed = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  if (archived) requireNoTurn(actor.view);
  const warning = mode && modeApplied && agent ? modeNotice(agent, mode, modeApplied) : undefined;
  const withheld = mode && agent ? withheldNotice(agent, mode, effective) : undefined;
  const turn = actor.view.turn?.id;
  actor.apply("recordEvents", [
    { type: "session.updated", data: { patch: changed, reason: "changed by the user" }, turn },
    ...[warning, withheld].flatMap((data) => (data ? [{ type: "notice" as const, data, turn }] : [])),
  ]);
  if (autoResume !== undefined || budget !== undefined) deps.limits.changed();
  if (archived) await actor.release("closed");
  const applied: Applied["applied"] = Object.entries({ title, archived, autoResume, budget, lead }).flatMap(
    ([field, value]) => (value === undefined ? [] : [{ field, value, when: "now" as const }]),
  );
  if (folders) {
    await actor.release("settings");
    applied.push({ field: "folders", value: folders, when: "next_start" });
  }
  const rung = mode && agent ? appliedMode(agent, mode) : undefined;
  applied.push(...(await changeRunning(actor, { model, mode: rung, effort, controls })));
  return { session: toClientSession(actor.view), applied };
}

/** Replaces the session's own servers. A session that has them already keeps its process. */
async function changeServers(store: Store, actor: SessionActor, servers: SessionServers): Promise<Applied["applied"]> {
  const { id, turn } = actor.view;
  const names = Object.keys(servers);
  if (isDeepStrictEqual(readSessionServers(store, id), servers))
    return [{ field: "servers", value: names, when: "now" }];
  const data = { patch: { servers: names }, reason: "changed by the user" };
  const records = [serversRecord(id, servers)];
  actor.apply("recordEvents", [{ type: "session.updated", data, turn: turn?.id }], () => ({ records }));
  if (!turn) await actor.release("settings");
  return [{ field: "servers", value: names, when: "next_start" }];
}

/** Changed controls are unconfirmed until the agent reports them. */
function withoutKeys(values: ControlValues | undefined, keys: readonly string[]): ControlValues | undefined {
  return values && Object.fromEntries(Object.entries(values).filter(([id]) => !keys.includes(id)));
}

/** The checked folders. The process that has the old ones must not run on: throws `turn_running`. */
function changeFolders(
  deps: ChangeDeps,
  { view }: SessionActor,
  agent: Agent | undefined,
  folders: readonly string[],
): string[] {
  requireNoTurn(view);
  const withheld = agent ? withheldIn(deps, agent, view.cwd) : () => [];
  return resolveFolders(folders, deps.protectedPlaces, withheld);
}

/** Passes settings to the running process. An idle process that refuses one is released: the next one starts with it. */
async function changeRunning(
  actor: SessionActor,
  settings: { model?: string | null; mode?: Mode; effort?: string | null; controls?: ControlValues },
): Promise<Applied["applied"]> {
  const applied: Applied["applied"] = [];
  for (const field of ["model", "mode", "effort", "controls"] as const) {
    const value = settings[field];
    if (value === undefined) continue;
    // The agent gets mode and controls at once: each alone could allow more than both.
    const isPaired = field === "mode" && settings.controls !== undefined;
    const mode = field === "controls" ? settings.mode : undefined;
    // No protocol has a message that returns a setting to the agent's own choice: the next process starts without it.
    if (value === null) {
      applied.push({ field, value, when: "next_start" });
      if (!actor.view.turn) await actor.release("settings");
      continue;
    }
    const result = isPaired ? undefined : await actor.changeSetting(field, value, mode);
    const when = result?.ok ? ("now" as const) : ("next_start" as const);
    if (!isPaired) applied.push({ field, value, when });
    if (mode !== undefined) applied.push({ field: "mode", value: mode, when });
    if (result && !result.ok && !actor.view.turn) await actor.release("settings");
  }
  return applied;
}
