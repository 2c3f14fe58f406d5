import { type PointerEvent, useSyncExternalStore } from "react";

const MINUTE = 60_000;
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, MINUTE / 2);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type AgoProps = {
  at: string;
  className?: string /** For the middle of a sentence: `5m ago`, `just now`. */;
  phrase?: boolean;
};

/** The age of a timestamp, for example `5m`. It updates twice a minute. */
export function Ago({ at, className, phrase }: AgoProps) {
  const time = useSyncExternalStore(subscribe, () => now);
  const age = formatAge(Math.max(time, Date.now()) - Date.parse(at));
  return (
    <time dateTime={at} onPointerEnter={showExactTime} className={className}>
      {phrase ? agePhrase(age) : age}
    </time>
  );
}

/** Formats the exact time only on hover: formatting it for every row costs more than rendering the row. */
function showExactTime({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = new Date(currentTarget.dateTime).toLocaleString();
}

function agePhrase(age: string): string {
  return age === "now" ? "just now" : `${age} ago`;
}

export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 30 ? `${days}d` : `${Math.floor(days / 30)}mo`;
}
