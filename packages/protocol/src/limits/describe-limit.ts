import type { SessionLimit } from "./schema.ts";

type DescribedLimit = Pick<SessionLimit, "provider" | "resetsAt" | "nextTryAt" | "autoResume" | "source" | "window">;

/** A limit in one line: `Anthropic rate limit, retries 15:58`. */
export function limitTitle(limit: DescribedLimit, now: Date = new Date()): string {
  if (limit.source === "budget") return limit.window === "day" ? "Daily budget used up" : "Session budget used up";
  const name = `${limit.provider.charAt(0).toUpperCase()}${limit.provider.slice(1)} rate limit`;
  const end = limitEnd(limit, now);
  if (end === undefined) return name;
  return limit.autoResume ? `${name}, retries ${end}` : `${name} until ${end}`;
}

/** When a limit ends or is tried again: the time of day, with the date if it is not today. */
export function limitEnd(
  { resetsAt, nextTryAt }: Pick<DescribedLimit, "resetsAt" | "nextTryAt">,
  now: Date = new Date(),
): string | undefined {
  const until = resetsAt ?? nextTryAt;
  return until === undefined ? undefined : clock(new Date(until), now);
}

function clock(at: Date, now: Date): string {
  const time = `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${day} ${time}`;
}
