import type { Row } from "../rows/row.ts";

/** When a row started: the time of day, with the date if it was not today. The exact time is in the tooltip. */
export function RowTime({ row }: { row: Row }) {
  const at = row.events[0]?.at;
  if (at === undefined) return null;
  return (
    <time dateTime={at} title={at} className="shrink-0 text-2xs text-faint tabular-nums">
      {formatTime(new Date(at), new Date())}
    </time>
  );
}

/** `14:05` today, `18 Nov 14:05` this year, else with the year. Not `toLocaleString`, which is slow in long lists. */
export function formatTime(at: Date, now: Date): string {
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]}`;
  return at.getFullYear() === now.getFullYear() ? `${day} ${time}` : `${day} ${at.getFullYear()} ${time}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function pad(part: number): string {
  return String(part).padStart(2, "0");
}
