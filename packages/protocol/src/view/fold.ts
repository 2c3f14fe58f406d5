import type { Envelope } from "../events/envelope.ts";
import type { SessionLimit } from "../limits/schema.ts";
import { addUsage, noUsage } from "../usage/totals.ts";
import { isActivity } from "./activity.ts";
import { changeComments, isCommentEvent, returnComments } from "./comments.ts";
import { lineOf } from "./last-line.ts";
import { updateSummary } from "./summary.ts";
import { changeTasks, isTaskEvent } from "./tasks.ts";
import {
  OF_AGENT,
  type OpenHandoff,
  type OpenSubagent,
  type OpenTool,
  type QueuedMessage,
  type SentMessage,
  type SessionState,
  type SessionView,
} from "./types.ts";

export function sessionState(view: SessionView): SessionState {
  if (view.ended) return "ended";
  if (view.inputs.some((input) => input.blocking)) return "waiting";
  if (view.turn) return "running";
  return view.limit ? "limited" : "idle";
}

/** Notices of these kinds are published once per session: they name a feature that the session lacks. */
export function isPublishedOnce(kind: string): boolean {
  return kind === "kit" || kind === "checkpoint";
}

/** The view after one more event. The first event of a log is `session.created`. */
export function foldSession(view: SessionView | undefined, event: Envelope): SessionView {
  if (event.type === "session.created") return createView(event);
  if (!view) throw new Error(`the log of ${event.session} does not start with session.created but ${event.type}`);
  const next = Object.assign({ ...view }, change(view, event), updateSummary(view, event));
  next.lastSeq = event.seq;
  if (isActivity(event)) {
    next.activity = { seq: event.seq, at: event.at };
    next.updatedAt = event.at;
  }
  const last = lineOf(event);
  if (last) next.last = last;
  return next;
}

function createView(event: Envelope<"session.created">): SessionView {
  const {
    agent,
    model,
    mode,
    effort,
    controls,
    cwd,
    lane,
    folders,
    servers,
    title,
    titleBy,
    identity,
    instructions,
    parent,
    spawn,
    origin,
    forkedAt,
  } = event.data;
  return {
    id: event.session,
    agent,
    model,
    mode,
    effort,
    ...(controls ? { controls } : {}),
    cwd,
    lane,
    ...(folders?.length ? { folders } : {}),
    ...(servers?.length ? { servers } : {}),
    title,
    titleBy,
    identity,
    instructions,
    parent,
    origin,
    ...(forkedAt === undefined ? {} : { forkedAt }),
    ...(spawn ? { spawn } : {}),
    archived: false,
    turns: 0,
    queue: [],
    sent: [],
    inputs: [],
    tools: [],
    subagents: [],
    grants: [],
    handles: {},
    usage: noUsage,
    raw: 0,
    activity: { seq: event.seq, at: event.at },
    lastSeq: event.seq,
    createdAt: event.at,
    updatedAt: event.at,
  };
}

function change(view: SessionView, event: Envelope): Partial<SessionView> | undefined {
  switch (event.type) {
    case "session.updated":
      return applyPatch(view, event.data.patch);
    case "session.ended":
      return { ended: event.data.reason };
    case "turn.started":
      return turnStarted(view, event);
    case "turn.ended":
      return turnEnded(view, event);
    case "message.user":
      return { sent: [...view.sent, event.data] };
    case "message.delivery":
      return applyDelivery(view, event.data);
    case "tool.started":
      return { tools: [...view.tools, pick(event.data)] };
    case "tool.ended":
      return { tools: view.tools.filter((tool) => tool.item !== event.data.item) };
    case "input.requested":
      return inputRequested(view, event);
    case "input.resolved":
      return inputResolved(view, event);
    case "subagent.started":
      return { subagents: [...view.subagents, openSubagent(event.data)] };
    case "subagent.ended":
      return { subagents: view.subagents.filter((subagent) => subagent.id !== event.data.id) };
    case "context.usage":
      return { context: contextOf(view, event.data) };
    case "context.compacted":
      return { compactedAt: event.seq };
    case "model.changed":
      return { servedModel: event.data.to };
    case "mode.changed":
      return modeChanged(view, event.data);
    case "commands.changed":
      return { commandsAt: event.seq };
    case "handoff.started":
      return handoffStarted(view, event);
    case "handoff.ended":
      return handoffEnded(view, event.data);
    case "limit.reached":
      return { limit: mergeLimit(view, event) };
    case "limit.cleared":
      return { limit: undefined };
    case "health.stalled":
      return { stalled: { since: event.data.since, reason: event.data.reason } };
    case "health.recovered":
      return { stalled: undefined };
    case "notice":
      return isPublishedOnce(event.data.kind)
        ? { withheld: [...(view.withheld ?? []), event.data.text].slice(-20) }
        : undefined;
    case "error":
      return { trouble: event.data.category };
    case "raw":
      return { raw: view.raw + 1 };
    default:
      return changeList(view, event);
  }
}

function changeList(view: SessionView, event: Envelope): Partial<SessionView> | undefined {
  if (event.type === "plan.updated") return { todosAt: event.seq };
  if (isCommentEvent(event)) return changeComments(view, event);
  return isTaskEvent(event) ? changeTasks(view, event) : undefined;
}

function inputRequested(view: SessionView, event: Envelope<"input.requested">): Partial<SessionView> {
  const input = { ...event.data, requestedAt: event.at, native: nativeRequest(event) };
  return { inputs: [...view.inputs, input], ...(input.kind === "plan" ? { planAt: event.seq } : {}) };
}

/** An approved plan changes the session's mode: to that of the chosen option, else from plan to ask. */
function inputResolved(view: SessionView, { data, turn }: Envelope<"input.resolved">): Partial<SessionView> {
  const input = view.inputs.find(({ id }) => id === data.id);
  const inputs = view.inputs.filter((entry) => entry !== input);
  if (!input || (data.decision !== "allow" && data.decision !== "allow_session")) return { inputs };
  const tools = view.tools.map((tool) => (tool.item === input.item ? { ...tool, approved: true as const } : tool));
  if (input.kind !== "plan") return { inputs, tools };
  const chosen = input.options.find(({ id }) => id === data.option)?.mode;
  const isPlanning = view.mode === "plan" || (view.mode === "inherit" && view.modeApplied === "plan");
  const mode = chosen ?? (isPlanning ? "ask" : view.mode);
  return { inputs, tools, mode, planApproved: turn ?? view.turn?.id };
}

/** The agent reports its mode. After an approved plan that is the session's mode, also for later processes. */
function modeChanged(view: SessionView, { to, native }: Envelope<"mode.changed">["data"]): Partial<SessionView> {
  const leavesPlan = view.planApproved !== undefined && to !== "plan" && to !== "inherit" && view.mode !== "inherit";
  return { modeApplied: to, modeConfirmed: true, modeNative: native, ...(leavesPlan ? { mode: to } : {}) };
}

/** The breakdown belongs to the report that has it. A later report without one makes it outdated. */
function contextOf(
  view: SessionView,
  { used, size = view.context?.size, parts }: Envelope<"context.usage">["data"],
): SessionView["context"] {
  return { used, size, ...(parts ? { parts } : {}) };
}

/** Another agent has other controls. */
const withoutControls = {
  controls: undefined,
  controlsApplied: undefined,
  controlChoices: undefined,
  plugins: undefined,
};

function applyPatch(view: SessionView, patch: Envelope<"session.updated">["data"]["patch"]): Partial<SessionView> {
  const { handles, handingTo, autoResume, budget, identity, stopping, ...given } = patch;
  const { model, effort, modeNative, unenforced, controls, controlsApplied, controlChoices, plugins, ...rest } = given;
  const next: Partial<SessionView> = { ...rest };
  if (stopping && view.turn) next.turn = { ...view.turn, stopping };
  if (handingTo !== undefined) next.handingTo = handingTo ?? undefined;
  if (rest.agent !== undefined && rest.agent !== view.agent)
    Object.assign(next, { ...withoutControls, servedModel: undefined, context: undefined, commandsAt: undefined });
  if (rest.mode !== undefined) next.planApproved = undefined;
  const nullable = { model, effort, modeNative, unenforced, controls, controlsApplied, controlChoices, plugins };
  for (const [key, value] of Object.entries(nullable))
    if (value !== undefined) Object.assign(next, { [key]: value ?? undefined });
  if (identity === null) next.identity = undefined;
  if (budget !== undefined) next.budget = budget ?? undefined;
  if (autoResume !== undefined) {
    next.autoResume = autoResume ?? undefined;
    if (view.limit && autoResume !== null) next.limit = { ...view.limit, autoResume };
  }
  if (handles) {
    const merged = Object.entries({ ...view.handles, ...handles });
    next.handles = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
  }
  return next;
}

function handoffStarted(view: SessionView, { seq, data }: Envelope<"handoff.started">): Partial<SessionView> {
  const { id, from, to, strategy, message } = data;
  const before = Object.fromEntries(OF_AGENT.map((key) => [key, view[key]])) as OpenHandoff["before"];
  return { handingTo: undefined, handoff: { id, from, to, strategy, message, seq, before } };
}

function handoffEnded(view: SessionView, { outcome, from }: Envelope<"handoff.ended">["data"]): Partial<SessionView> {
  const { seq, before } = view.handoff ?? {};
  if (outcome !== "completed") return { handoff: undefined, ...before };
  return { handoff: undefined, ...(seq === undefined ? {} : { leftAt: { ...view.leftAt, [from]: seq } }) };
}

/** A repeated report of the same limit keeps its original start. */
function mergeLimit({ limit, autoResume }: SessionView, { at, data }: Envelope<"limit.reached">): SessionLimit {
  const same = limit?.provider === data.provider && limit.account === data.account;
  return { ...data, since: same ? limit.since : at, autoResume: data.autoResume ?? autoResume ?? true };
}

function turnStarted(view: SessionView, event: Envelope<"turn.started">): Partial<SessionView> {
  const { trigger, messages } = event.data;
  const id = event.turn ?? "";
  return {
    turn: { id, startedAt: event.at, trigger, messages },
    trouble: undefined,
    turns: view.turns + 1,
    sent: view.sent.map((message) => (messages.includes(message.message) ? { ...message, turn: id } : message)),
  };
}

function turnEnded(view: SessionView, event: Envelope<"turn.ended">): Partial<SessionView> {
  const { outcome, usage, cost, servedModel, error, ttftMs } = event.data;
  const total = cost ? (view.cost?.usd ?? 0) + cost.usd : undefined;
  const source = cost && view.cost?.source === "list" ? "list" : cost?.source;
  return {
    turn: undefined,
    planApproved: undefined,
    stalled: undefined,
    lastTurn: {
      ...{ id: event.turn ?? "", outcome, endedAt: event.at, error },
      ...(ttftMs === undefined ? {} : { ttftMs }),
    },
    usage: usage ? addUsage(view.usage, usage) : view.usage,
    cost: total === undefined || !source ? view.cost : { usd: total, source },
    ...(usage && !cost ? { unpriced: (view.unpriced ?? 0) + 1 } : {}),
    servedModel: servedModel ?? view.servedModel,
  };
}

/** Messages that were sent into the running turn and that the agent has not read. */
export function pendingSteers({ sent, turn }: Pick<SessionView, "sent" | "turn">): SentMessage[] {
  return sent.filter((entry) => entry.turn === undefined || entry.turn !== turn?.id);
}

/** Moves a message: it is in `queue` while it waits, in `sent` until the agent acknowledges it, then in neither. */
function applyDelivery(view: SessionView, data: Envelope<"message.delivery">["data"]): Partial<SessionView> {
  const known = [...view.queue, ...view.sent].find((entry) => entry.message === data.message) ?? givenBack(data);
  if (!known) return {};
  const queue = view.queue.filter((entry) => entry.message !== data.message);
  const sent = view.sent.filter((entry) => entry.message !== data.message);
  // The pause ends with the last message that it held.
  const emptied = view.queueState === "paused" && queue.length === 0 && view.queue.length > 0;
  const state = emptied ? { queueState: "running" as const } : {};
  switch (data.state) {
    case "queued": {
      const position = Math.min(data.position ?? queue.length, queue.length);
      const { turn: _, ...message } = known as SentMessage;
      const { tries = message.tries, delivery = message.delivery } = data;
      const again = { ...message, delivery, ...(tries === undefined ? {} : { tries }) };
      return { queue: queue.toSpliced(position, 0, again), sent };
    }
    case "edited": {
      const edited = { ...known, text: data.text ?? known.text };
      return { queue: view.queue.map((entry) => (entry.message === data.message ? edited : entry)) };
    }
    case "sent":
      return { queue, sent: [...sent, known], ...state };
    case "cancelled":
    case "failed":
      return { queue, sent, ...state, ...returnComments(view, data.message) };
    default:
      return { queue, sent, ...state };
  }
}

/** A message that was sent to the agent and returns to the queue. */
function givenBack(data: Envelope<"message.delivery">["data"]): QueuedMessage | undefined {
  const { message, state, text, attachments = [], author } = data;
  if (state !== "queued" || text === undefined) return undefined;
  return { message, text, attachments, delivery: "auto", ...(author ? { author } : {}) };
}

function pick(data: Envelope<"tool.started">["data"]): OpenTool {
  const { item, name, kind, title, parent, locations } = data;
  const [first] = locations ?? [];
  return { item, name, kind, title, ...(first ? { path: first.path } : {}), parent };
}

function openSubagent({ id, title, parent }: Envelope<"subagent.started">["data"]): OpenSubagent {
  return { id, title, ...(parent === undefined ? {} : { parent }) };
}

function nativeRequest(event: Envelope<"input.requested">): string | undefined {
  for (const detail of Object.values(event.ext ?? {})) {
    const request = (detail as { request?: unknown } | null)?.request;
    if (typeof request === "string") return request;
  }
  return undefined;
}
