import type { SessionLimit } from "@gantry/protocol";

type Limit = Pick<SessionLimit, "provider" | "resetsAt" | "nextTryAt" | "autoResume" | "source" | "window">;

/** A limit in one line, for example `Anthropic rate limit, retries 15:58`. */
export function limitTitle(limit: Limit, now: Date = new Date()): string {
  if (limit.source === "budget") return limit.window === "day" ? "Daily budget used up" : "Session budget used up";
  const name = `${limit.provider.charAt(0).toUpperCase()}${limit.provider.slice(1)} rate limit`;
  const until = limit.resetsAt ?? limit.nextTryAt;
  if (until === undefined) return name;
  return limit.autoResume ? `${name}, retries ${formatTime(until, now)}` : `${name} until ${formatTime(until, now)}`;
}

/** The time of day, with the date if it is not today. */
function formatTime(at: string, now: Date): string {
  const date = new Date(at);
  const time = `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
  return date.toDateString() === now.toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
