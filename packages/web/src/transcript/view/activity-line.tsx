import { useEffect, useState } from "react";
import { useCell } from "../../store/cell.ts";
import { useSession } from "../../store/sessions/hooks.ts";
import { liveActivity } from "../../store/sessions/live.ts";
import { formatDuration } from "../../ui/display/format.ts";

/** What the agent is doing during a turn, with the elapsed time. */
export function ActivityLine({ session }: { session: string }) {
  const view = useSession(session);
  const activity = useCell(liveActivity(session));
  if (!view?.turn) return null;
  const isWaiting = view.inputs.some((input) => input.blocking);
  return (
    <div className="transcript-column flex h-8 items-center gap-2 border-l-2 border-transparent pr-10 pl-6 text-xs text-faint max-sm:pl-3">
      <span className="flex w-4 justify-center" aria-hidden="true">
        <span className={isWaiting ? "size-1.5 rounded-full bg-need-fill" : "size-1.5 rounded-full bg-busy breathe"} />
      </span>
      <span className="truncate">{isWaiting ? "Waiting for you" : activityText(activity)}</span>
      <Since at={view.turn.startedAt} />
    </div>
  );
}

function activityText(activity: ReturnType<ReturnType<typeof liveActivity>["get"]>): string {
  if (!activity) return "Working";
  if (activity.type === "retry") {
    const count =
      activity.attempt === undefined ? "" : ` (${activity.attempt}${activity.max ? ` of ${activity.max}` : ""})`;
    return `Retrying${count}: ${activity.reason}`;
  }
  const text = activity.detail ?? activity.state.replaceAll("_", " ");
  return (text[0]?.toUpperCase() ?? "") + text.slice(1);
}

function Since({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const ms = Math.max(0, now - Date.parse(at));
  return ms < 1000 ? null : <span className="tabular-nums">{formatDuration(Math.floor(ms / 1000) * 1000)}</span>;
}
