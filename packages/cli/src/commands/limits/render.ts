import { type LimitRow, limitTitle } from "@gantry/protocol";
import { pluralize } from "@gantry/terminal";

/** A limit in one line: what it is, its account, its end, and the number of held sessions. */
export function limitLine(limit: LimitRow): string {
  const account = limit.account ? ` (${limit.account})` : "";
  const state = limit.state === "half_open" ? ", one session retries now" : "";
  const held = limit.sessions.length > 0 ? `, ${pluralize(limit.sessions.length, "session")} held` : "";
  return `${limitTitle(limit)}${account}${state}${held}`;
}
