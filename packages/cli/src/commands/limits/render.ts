import { describeLimit, type LimitRow } from "@gantry/protocol";
import { pluralize } from "@gantry/terminal";

/** A limit in one line: provider, account, end, and the number of waiting sessions. */
export function limitLine(limit: LimitRow): string {
  const whose = limit.account ? `${limit.provider} (${limit.account})` : limit.provider;
  const state = limit.state === "half_open" ? "one session retries" : describeLimit(limit);
  const waiting = limit.sessions.length > 0 ? `, ${pluralize(limit.sessions.length, "session")} waiting` : "";
  return `${limit.source === "budget" ? "" : `${whose}: `}${state}${waiting}`;
}
