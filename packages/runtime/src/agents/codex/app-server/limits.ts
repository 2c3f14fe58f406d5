import type { Step } from "../../contract.ts";
import { compact, type Fields, fields, nonBlank, number } from "../../fields.ts";
import { event } from "../outputs.ts";
import type { State } from "./state.ts";

/**
 * Handles rate limits. A report follows every request; only reaching a limit and its end are published. `null` fields
 * are unknown.
 */
export function rateLimits(state: State, limits: Fields): Step<State> {
  const spent = ["primary", "secondary"].filter((name) => (number(fields(limits[name]).usedPercent) ?? 0) >= 100);
  const type = nonBlank(limits.rateLimitReachedType);
  const reached = type !== undefined || spent.length > 0 || limits.spendControlReached === true;
  if (reached) return limitReached(state, limits, spent, type);
  const known = ["primary", "secondary"].some((name) => number(fields(limits[name]).usedPercent) !== undefined);
  if (!state.limit || !known) return [state, []];
  const { limit: _, ...rest } = state;
  return [rest, [event("limit.cleared", { provider: "openai", source: "account/rateLimits/updated" })]];
}

function limitReached(state: State, limits: Fields, spent: string[], type: string | undefined): Step<State> {
  const window = fields(limits[spent.at(-1) ?? "primary"]);
  const data = compact({
    provider: "openai",
    account: nonBlank(limits.planType),
    window: spanOf(number(window.windowDurationMins)) ?? type,
    resetsAt: isoTime(number(window.resetsAt)),
    source: type ?? "account/rateLimits/updated",
  });
  const mark = `${data.window ?? ""} ${data.resetsAt ?? ""}`;
  return state.limit === mark ? [state, []] : [{ ...state, limit: mark }, [event("limit.reached", data)]];
}

function spanOf(minutes: number | undefined): string | undefined {
  if (minutes === undefined) return undefined;
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}min`;
}

function isoTime(seconds: number | undefined): string | undefined {
  if (seconds === undefined || Math.abs(seconds) > 8e12) return undefined;
  return new Date(seconds * 1000).toISOString();
}
