import type { Cost, Usage } from "@gantry/protocol";

/** A rounded count of tokens: 980, 12.3k, 1.2M. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

/** Tokens in and out, and how much of the input came from the provider's cache. */
export function formatUsage(usage: Usage): string {
  const cached = usage.cacheRead > 0 ? ` (${formatTokens(usage.cacheRead)} cached)` : "";
  return `${formatTokens(usage.input)} in${cached}, ${formatTokens(usage.output)} out`;
}

/** Dollars. `~` marks a cost that was computed from list prices. */
export function formatDollars(cost: Cost): string {
  return `${cost.source === "list" ? "~" : ""}$${formatAmount(cost.usd)}`;
}

export function formatAmount(usd: number): string {
  if (usd === 0) return "0";
  return usd < 1 ? usd.toFixed(4) : usd.toFixed(2);
}

/** 340 ms, 4.2 s, 3 m 20 s, 2 h 5 m. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trim(ms / 1000)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} m ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** The time since a moment, in one unit: now, 12s, 5m, 3h, 4d. */
export function formatAge(at: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
  if (seconds < 2) return "now";
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** The same as a phrase: `5m ago`, `now`. */
export function formatAgo(at: string, now: number): string {
  const text = formatAge(at, now);
  return text === "now" ? text : `${text} ago`;
}

export function formatBytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${trim(value)} ${units[unit]}`;
}

/** `1 turn`, `3 turns`. */
export function pluralize(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function trim(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, "");
}
