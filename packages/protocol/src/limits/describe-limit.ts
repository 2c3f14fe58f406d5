import type { SessionLimit } from "./schema.ts";

type DescribedLimit = Pick<
  SessionLimit,
  "provider" | "resetsAt" | "nextTryAt" | "autoResume" | "source" | "window" | "text"
>;

/** A short description of a limit, such as `limited until 14:05, resumes automatically`. */
export function describeLimit(limit: DescribedLimit, now: Date = new Date()): string {
  if (limit.source === "budget") return `budget of the ${limit.window ?? "session"} used up`;
  const until = limit.resetsAt ?? limit.nextTryAt;
  const when = until === undefined ? "" : ` until ${clock(new Date(until), now)}`;
  return `limited${when}, ${limit.autoResume ? "resumes automatically" : "stays held"}`;
}

/** The time of day, with the date if it is not today. */
function clock(at: Date, now: Date): string {
  const time = `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${day} ${time}`;
}
