import { type Failure, type FailureCategory, isOverload } from "@gantry/protocol";

/** The owner of a limit. `key` distinguishes two accounts of one provider; `account` is the name for people. */
export type Account = { key: string; provider: string; account?: string };

/**
 * A refusal of the provider. Source: an explicit event from the agent, a failed turn, or a retry notice. `overload`: the
 * provider is short of capacity, and the account has reached no limit.
 */
export type Signal = {
  account?: string;
  window?: string;
  resetsAt?: string;
  overload?: boolean;
  source: "agent" | "failure" | "retry";
};

/**
 * The circuit breaker of one account, a plain value that is stored unchanged. `closed`: turns start freely. `open`: no
 * turn starts before `nextTryAt`, then one does. `half_open`: that one, the probe, is running.
 */
export type Breaker = {
  id: string;
  key: string;
  provider: string;
  account?: string;
  state: "closed" | "open" | "half_open";
  /** Consecutive refusals. Refusals of other sessions while it is open do not count. */
  refusals: number;
  since: string;
  window?: string;
  /** The end of the limit, if known. */
  resetsAt?: string;
  nextTryAt: string;
  source: Signal["source"];
  /** The provider is overloaded. The schedule of overloads applies. */
  overload?: true;
  /** The probing session. */
  probe?: string;
  /** A person requested the next probe, or the one that runs. Without the request it were due at this time. */
  scheduledAt?: string;
  /** The session that was refused first. It becomes the first probe. */
  first?: string;
  /** When it was closed. A refusal soon after means that it was closed too early. */
  closedAt?: string;
  /** A person's setting for this limit. Without it the configuration applies. */
  autoResume?: boolean;
};

/**
 * When to retry: the `backoffSeconds` in order if no end is known, or the `overloadSeconds` after an overload;
 * `jitterSeconds` after a known end.
 */
export type Schedule = {
  backoffSeconds: readonly number[];
  overloadSeconds: readonly number[];
  jitterSeconds: number;
};

/** A known end beyond this is treated as wrong. */
const FURTHEST_MS = 35 * 86_400_000;
/** A limit that returns within this time had not ended. */
const FLAP_MS = 5 * 60_000;

const REFUSALS: readonly FailureCategory[] = ["rate_limit", "quota"];

/** Whether the provider refuses requests of the account, for whatever reason, so that others would be refused too. */
export function isHoldable(failed: Failure | undefined): failed is Failure {
  return isRefusal(failed) || isOverload(failed);
}

/** Whether the account has reached a limit. */
export function isRefusal(failed: Failure | undefined): failed is Failure {
  return failed !== undefined && REFUSALS.includes(failed.category);
}

/** The breaker after a refusal of `session`. */
export function refuse(
  before: Breaker | undefined,
  account: Account,
  signal: Signal,
  session: string,
  now: number,
  schedule: Schedule,
): Breaker {
  const again = before !== undefined && before.state !== "closed";
  // An overload during the wait for a limit does not change that wait.
  const waits = again && before.state === "open" && Date.parse(before.nextTryAt) > now;
  if (waits && signal.overload && !before.overload) return before;
  const overload = signal.overload === true;
  const sameKind = before !== undefined && (before.overload === true) === overload;
  const stated = knownEnd(signal.resetsAt, now);
  const refusals = countRefusals(before, sameKind, now);
  const end = stated ?? (again && sameKind ? knownEnd(before.resetsAt, now) : undefined);
  const next = nextTry(end, refusals, now, { ...schedule, ...backoffOf(overload, schedule) }, account.key);
  const window = signal.window ?? (again ? before.window : undefined);
  return {
    id: before?.id ?? limitId(account.key),
    key: account.key,
    provider: account.provider,
    ...optionalEntry("account", account.account ?? signal.account),
    state: "open",
    refusals,
    since: again ? before.since : iso(now),
    ...optionalEntry("window", window),
    ...optionalEntry("resetsAt", end === undefined ? undefined : iso(end)),
    nextTryAt: iso(again && sameKind ? keepSchedule(before, stated, next, now) : next),
    source: signal.source,
    ...(overload ? { overload: true } : {}),
    first: (again ? before.first : undefined) ?? session,
    ...optionalEntry("autoResume", again ? before.autoResume : undefined),
  };
}

/** Counts a refused probe. Refusals during the wait, and of a probe that a person requested, do not lengthen the back-off. */
function countRefusals(before: Breaker | undefined, sameKind: boolean, now: number): number {
  if (!before || !sameKind) return 1;
  if (before.state === "closed") {
    const flaps = before.closedAt !== undefined && now - Date.parse(before.closedAt) < FLAP_MS;
    return flaps ? before.refusals + 1 : 1;
  }
  return before.refusals + (before.state === "half_open" && before.scheduledAt === undefined ? 1 : 0);
}

/**
 * The next try after a refusal of the same kind. A refusal during the wait neither shortens nor restarts it, except for
 * the first known end. After the refused probe of a person, the earlier schedule stays.
 */
function keepSchedule(before: Breaker, stated: number | undefined, next: number, now: number): number {
  const { state, scheduledAt, nextTryAt, resetsAt } = before;
  if (state === "half_open") {
    const scheduled = scheduledAt === undefined ? 0 : Date.parse(scheduledAt);
    return stated === undefined && scheduled > now ? scheduled : next;
  }
  const waits = Date.parse(nextTryAt) > now;
  if (!waits || (stated !== undefined && resetsAt === undefined)) return next;
  return Math.max(stated === undefined ? 0 : next, Date.parse(nextTryAt));
}

/** Whether a session may start a turn. Sessions other than the probe wait. */
export function lets(breaker: Breaker, session: string, now: number): boolean {
  if (breaker.state === "closed") return true;
  if (breaker.state === "half_open") return breaker.probe === session;
  return isDue(breaker, now);
}

export function isDue(breaker: Breaker, now: number): boolean {
  return breaker.state === "open" && Date.parse(breaker.nextTryAt) <= now;
}

/** A turn of `session` starts. If a try is due, it becomes the probe. */
export function startTry(breaker: Breaker, session: string, now: number): Breaker {
  return isDue(breaker, now) ? { ...breaker, state: "half_open", probe: session } : breaker;
}

/** The provider answered. */
export function closeBreaker(breaker: Breaker, now: number): Breaker {
  if (breaker.state === "closed") return breaker;
  const { probe: _, resetsAt: __, autoResume: ___, first: ____, scheduledAt: _____, ...rest } = breaker;
  return { ...rest, state: "closed", closedAt: iso(now) };
}

/** The probe gave no result: it was stopped, or failed for another reason. The next one follows later. */
export function postponeTry(breaker: Breaker, session: string, now: number, schedule: Schedule): Breaker {
  if (breaker.state !== "half_open" || breaker.probe !== session) return breaker;
  const { probe: _, scheduledAt: __, ...rest } = breaker;
  return { ...rest, state: "open", nextTryAt: iso(now + backoff(1, backoffOf(breaker.overload, schedule))) };
}

/** A person requests a try now. */
export function requestTry(breaker: Breaker, now: number): Breaker {
  if (breaker.state !== "open" || isDue(breaker, now)) return breaker;
  return { ...breaker, nextTryAt: iso(now), scheduledAt: breaker.scheduledAt ?? breaker.nextTryAt };
}

/** A person sends a message. If no end of the limit is known, the message is the probe. */
export function offerProbe(breaker: Breaker, now: number): Breaker {
  return knownEnd(breaker.resetsAt, now) === undefined ? requestTry(breaker, now) : breaker;
}

/**
 * The clock was set back, or was wrong when the limit was reached: limits the wait to what the schedule would give from
 * now on.
 */
export function rearmBreaker(breaker: Breaker, now: number, schedule: Schedule): Breaker {
  if (breaker.state !== "open" || Date.parse(breaker.since) <= now + 60_000) return breaker;
  const { resetsAt: _, scheduledAt: __, ...rest } = breaker;
  const wait = backoff(breaker.refusals, backoffOf(breaker.overload, schedule));
  return { ...rest, since: iso(now), nextTryAt: iso(now + wait) };
}

type Backoff = Pick<Schedule, "backoffSeconds">;

function backoffOf(overload: boolean | undefined, { backoffSeconds, overloadSeconds }: Schedule): Backoff {
  return { backoffSeconds: overload ? overloadSeconds : backoffSeconds };
}

function nextTry(end: number | undefined, refusals: number, now: number, schedule: Schedule, key: string): number {
  if (end === undefined) return now + backoff(refusals, schedule);
  // An end that proved wrong is not used again.
  const least = refusals > 1 ? backoff(refusals - 1, schedule) : 0;
  return Math.max(end + jitter(key, schedule), now + least);
}

function backoff(refusals: number, { backoffSeconds }: Backoff): number {
  const seconds = backoffSeconds[Math.min(Math.max(refusals, 1), backoffSeconds.length) - 1] ?? 60;
  return seconds * 1000;
}

/** Varies by account, so that clients do not all return in the same second. */
function jitter(key: string, { jitterSeconds }: Schedule): number {
  return Math.round(((hash(key) % 1000) / 1000) * jitterSeconds * 1000);
}

function knownEnd(resetsAt: string | undefined, now: number): number | undefined {
  const end = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
  return Number.isFinite(end) && end > now && end - now <= FURTHEST_MS ? end : undefined;
}

/** Stable per account, across restarts. */
export function limitId(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 80);
  return plain === key ? `lim_${plain}` : `lim_${plain}-${hash(key).toString(36)}`;
}

function hash(text: string): number {
  let sum = 2_166_136_261;
  for (const sign of text) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return sum;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function optionalEntry<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
