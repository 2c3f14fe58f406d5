import type { Failure, FailureCategory } from "@gantry/protocol";

/** Whose limit it is. `key` tells two accounts of one provider apart; `account` is what a person would call it. */
export type Account = { key: string; provider: string; account?: string };

/** A refusal, whoever told of it: the agent outright, the end of a turn, or its word that it tries again. */
export type Signal = { account?: string; window?: string; resetsAt?: string; source: "agent" | "failure" | "retry" };

/**
 * The circuit breaker of one account, a plain value: it is stored as it is. `closed`: turns start as they like. `open`:
 * none is started before `nextTryAt`, and then one. `half_open`: that one, the probe, is under way.
 */
export type Breaker = {
  id: string;
  key: string;
  provider: string;
  account?: string;
  state: "closed" | "open" | "half_open";
  /** Refusals in a row; what another session was told meanwhile does not count. */
  refusals: number;
  since: string;
  window?: string;
  /** The end of the limit, where somebody knows it. */
  resetsAt?: string;
  nextTryAt: string;
  source: Signal["source"];
  /** The session that tries. */
  probe?: string;
  /** The session that was refused first: it is the first to try again. */
  first?: string;
  /** When it was closed. Refused again soon after, it was closed too early. */
  closedAt?: string;
  /** A person's word for this limit; without it the configuration's counts. */
  autoResume?: boolean;
};

/** When to try again: `backoffSeconds` one after the other where no end is known, `jitterSeconds` after a known one. */
export type Schedule = { backoffSeconds: readonly number[]; jitterSeconds: number };

/** A known end that is further away is taken for a mistake. */
const FURTHEST_MS = 35 * 86_400_000;
/** A limit that comes back within this time was never over. */
const FLAP_MS = 5 * 60_000;

const REFUSALS: readonly FailureCategory[] = ["rate_limit", "quota"];

/** Does the account refuse, so that another request of it would be refused too? */
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
  const told = knownEnd(signal.resetsAt, now);
  const again = before !== undefined && before.state !== "closed";
  const flaps = before?.closedAt !== undefined && now - Date.parse(before.closedAt) < FLAP_MS;
  const counts = !again || before.state === "half_open";
  const refusals = (again || flaps ? before.refusals : 0) + (counts ? 1 : 0);
  const end = told ?? (again ? knownEnd(before.resetsAt, now) : undefined);
  const next = nextTry(end, refusals, now, schedule, account.key);
  // What a second session is told while all wait neither shortens the wait nor starts it anew, but for a first known end.
  const waits = again && before.state === "open" && Date.parse(before.nextTryAt) > now;
  const guessed = before?.resetsAt === undefined;
  const nextTryAt =
    waits && (told === undefined || !guessed)
      ? Math.max(told === undefined ? 0 : next, Date.parse(before.nextTryAt))
      : next;
  const window = signal.window ?? (again ? before.window : undefined);
  return {
    id: before?.id ?? limitId(account.key),
    key: account.key,
    provider: account.provider,
    ...some("account", account.account ?? signal.account),
    state: "open",
    refusals,
    since: again ? before.since : iso(now),
    ...some("window", window),
    ...some("resetsAt", end === undefined ? undefined : iso(end)),
    nextTryAt: iso(nextTryAt),
    source: signal.source,
    first: (again ? before.first : undefined) ?? session,
    ...some("autoResume", again ? before.autoResume : undefined),
  };
}

/** May a session start a turn? One that is not the probe waits for it. */
export function lets(breaker: Breaker, session: string, now: number): boolean {
  if (breaker.state === "closed") return true;
  if (breaker.state === "half_open") return breaker.probe === session;
  return isDue(breaker, now);
}

export function isDue(breaker: Breaker, now: number): boolean {
  return breaker.state === "open" && Date.parse(breaker.nextTryAt) <= now;
}

/** A turn of `session` starts: when it was time, it is the probe. */
export function tried(breaker: Breaker, session: string, now: number): Breaker {
  return isDue(breaker, now) ? { ...breaker, state: "half_open", probe: session } : breaker;
}

/** The provider answered. */
export function answered(breaker: Breaker, now: number): Breaker {
  if (breaker.state === "closed") return breaker;
  const { probe: _, resetsAt: __, autoResume: ___, first: ____, ...rest } = breaker;
  return { ...rest, state: "closed", closedAt: iso(now) };
}

/** The probe came to nothing: it was stopped, or failed for another reason. The next one tries in a while. */
export function undecided(breaker: Breaker, session: string, now: number, schedule: Schedule): Breaker {
  if (breaker.state !== "half_open" || breaker.probe !== session) return breaker;
  const { probe: _, ...rest } = breaker;
  return { ...rest, state: "open", nextTryAt: iso(now + backoff(1, schedule)) };
}

/** It is tried at once, by a person's wish. */
export function hurried(breaker: Breaker, now: number): Breaker {
  return breaker.state === "open" ? { ...breaker, nextTryAt: iso(now) } : breaker;
}

/**
 * The clock was set back, or the machine's time was wrong when the limit was met: nobody waits longer than the schedule
 * would have them wait from now on.
 */
export function rearmed(breaker: Breaker, now: number, schedule: Schedule): Breaker {
  if (breaker.state !== "open" || Date.parse(breaker.since) <= now + 60_000) return breaker;
  const { resetsAt: _, ...rest } = breaker;
  return { ...rest, since: iso(now), nextTryAt: iso(now + backoff(breaker.refusals, schedule)) };
}

function nextTry(end: number | undefined, refusals: number, now: number, schedule: Schedule, key: string): number {
  if (end === undefined) return now + backoff(refusals, schedule);
  // An end that was known and did not hold is not believed again at once.
  const least = refusals > 1 ? backoff(refusals - 1, schedule) : 0;
  return Math.max(end + jitter(key, schedule), now + least);
}

function backoff(refusals: number, { backoffSeconds }: Schedule): number {
  const seconds = backoffSeconds[Math.min(Math.max(refusals, 1), backoffSeconds.length) - 1] ?? 60;
  return seconds * 1000;
}

/** Not the same for all, so that not everybody in the world comes back in the same second. */
function jitter(key: string, { jitterSeconds }: Schedule): number {
  return Math.round(((hash(key) % 1000) / 1000) * jitterSeconds * 1000);
}

function knownEnd(resetsAt: string | undefined, now: number): number | undefined {
  const end = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
  return Number.isFinite(end) && end > now && end - now <= FURTHEST_MS ? end : undefined;
}

/** The same account has the same id, before and after a restart. */
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

function some<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
