import type { Cost, Usage } from "@gantry/protocol";

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function tokens({ input, output }: Usage): string {
  return `${shortenCount(input)} in, ${shortenCount(output)} out`;
}

function shortenCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** A list price is marked with ≈, because it is not the amount paid. */
export function money({ usd, source }: Cost): string {
  return `${source === "list" ? "≈ " : ""}$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** `2026-11-16 05:36` of an ISO time, which is in UTC. */
export function moment(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
