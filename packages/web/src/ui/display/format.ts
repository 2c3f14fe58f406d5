/** `1234567` as `1.2M`. Put the exact number into a title. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

/** `1234567` as `1 234 567`. Not `toLocaleString`: its first call takes longer than rendering the view that needs it. */
export function formatExact(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function formatDollars(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${trim(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatBytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${trim(count / 1024)} kB` : `${trim(count / 1024 / 1024)} MB`;
}

function trim(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}
