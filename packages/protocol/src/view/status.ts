import type { InputKind, InputRequest } from "../inputs/schema.ts";
import { limitEnd, limitTitle } from "../limits/describe-limit.ts";
import { groupNames, sessionGroups } from "../status/groups.ts";
import type { SessionStatus } from "../status/schema.ts";
import { lastActivity } from "./activity.ts";
import type { SessionState, SessionView } from "./types.ts";

/** The fields that decide. Both a view and a session of the API have them. */
export type StatusSource = Pick<
  SessionView,
  | "inputs"
  | "turn"
  | "lastTurn"
  | "queue"
  | "queueState"
  | "limit"
  | "stalled"
  | "archived"
  | "createdAt"
  | "activity"
  | "last"
  | "lastSeq"
  | "updatedAt"
> & { ended?: string; state?: SessionState; handoff?: { to: string } };

const inputReasons: Record<InputKind, string> = {
  approval: "approval",
  question: "question",
  plan: "plan",
  permissions: "permissions",
  elicitation: "form",
  login: "login",
};

/**
 * The group of a session. Pure. A request of the agent is first, because it waits for a person; then the running turn; then
 * what prevents the next one. A failed turn needs a person until the next message or until the session is archived.
 */
export function sessionStatus(session: StatusSource, now: Date = new Date()): SessionStatus {
  const { turn, inputs, stalled } = session;
  const since = lastActivity(session).at;
  if (session.ended !== undefined || session.state === "ended") return { group: "done", reason: "ended", since };
  const [first, ...others] = inputs;
  if (first) {
    const reason = inputReasons[first.kind] + (others.length > 0 ? ` +${others.length}` : "");
    return { group: "needs_you", reason, detail: first.title, since: first.requestedAt ?? since };
  }
  if (turn && stalled)
    return { group: "held", reason: "stalled", detail: `Stalled: ${stalled.reason}`, since: stalled.since };
  if (turn) return { group: "working", since: turn.startedAt };
  return restingStatus(session, since, now);
}

/** The status of a session without a running turn and without a request. */
function restingStatus(session: StatusSource, since: string, now: Date): SessionStatus {
  const { limit, lastTurn, queue, archived } = session;
  if (limit) return heldByLimit(limit, now);
  if (session.handoff) return { group: "working", reason: "handing off", since };
  if (lastTurn?.outcome === "failed") {
    const detail = errorMessage(lastTurn.error);
    const group = archived ? "done" : "needs_you";
    return { group, reason: "failed", ...(detail ? { detail } : {}), failed: true, since: lastTurn.endedAt };
  }
  if (queue.length > 0) {
    if (session.queueState !== "paused") return { group: "working", reason: "starting", since };
    const detail = `Queue paused, ${queue.length} ${queue.length === 1 ? "message" : "messages"}`;
    return { group: "held", reason: "queue paused", detail, since, remedy: "resume_queue" };
  }
  if (!lastTurn) return { group: "done", reason: "not started", since };
  const { endedAt } = lastTurn;
  return { group: "done", ...(lastTurn.outcome === "interrupted" ? { reason: "stopped" } : {}), since: endedAt };
}

function heldByLimit(limit: NonNullable<StatusSource["limit"]>, now: Date): SessionStatus {
  const held = { group: "held", detail: limitTitle(limit, now), since: limit.since } as const;
  if (limit.source === "budget") return { ...held, reason: "budget used up" };
  if (!limit.autoResume) return { ...held, reason: "until resumed", remedy: "try_now" };
  const end = limitEnd(limit, now);
  const until = limit.resetsAt ?? limit.nextTryAt;
  return { ...held, reason: end ? `until ${end}` : "rate limit", ...(until ? { until } : {}), remedy: "try_now" };
}

/** Whether buttons alone can answer a request, as in a notification. Questions, plans, forms and logins need the page. */
export function hasButtonAnswers({ kind, questions }: InputRequest): boolean {
  return (kind === "approval" || kind === "permissions") && questions.length === 0;
}

/** A status in one line: `Needs you · approval`, `Held · until 15:58`, `Done`. */
export function statusText({ group, reason }: SessionStatus): string {
  return reason ? `${groupNames[group]} · ${reason}` : groupNames[group];
}

/**
 * The order of sessions in every list: by group; in "Needs you" the oldest request first and failures last, in "Held" the
 * one that resumes first, elsewhere the newest first.
 */
export function compareStatuses(a: SessionStatus, b: SessionStatus): number {
  const groups = sessionGroups.indexOf(a.group) - sessionGroups.indexOf(b.group);
  if (groups !== 0) return groups;
  if (a.group === "needs_you" && a.failed !== b.failed) return a.failed ? 1 : -1;
  if (a.group === "needs_you" && !a.failed) return compareTimes(a.since, b.since);
  if (a.group === "held" && a.until !== b.until) return compareTimes(a.until ?? "~", b.until ?? "~");
  return compareTimes(b.since, a.since);
}

/** ISO times in UTC order as text. `~` is after all of them. */
function compareTimes(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Sessions with their status, in the order of every list. */
export function orderSessions<T extends StatusSource>(
  sessions: readonly T[],
  now: Date = new Date(),
): { session: T; status: SessionStatus }[] {
  return sessions
    .map((session) => ({ session, status: sessionStatus(session, now) }))
    .sort((a, b) => compareStatuses(a.status, b.status));
}

function errorMessage(error: unknown): string | undefined {
  const message = (error as { message?: unknown } | undefined)?.message;
  return typeof message === "string" ? message : undefined;
}
