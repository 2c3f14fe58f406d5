import { describeLimit, type LimitRow } from "@gantry/protocol";
import { plural } from "../../render/figures.ts";

/** A limit in one line: whose it is, until when, and how many wait. */
export function limitLine(limit: LimitRow): string {
  const whose = limit.account ? `${limit.provider} (${limit.account})` : limit.provider;
  const words = limit.state === "half_open" ? "one session tries" : describeLimit(limit);
  const waiting = limit.sessions.length > 0 ? `, ${plural(limit.sessions.length, "session")} waiting` : "";
  return `${limit.source === "budget" ? "" : `${whose}: `}${words}${waiting}`;
}
