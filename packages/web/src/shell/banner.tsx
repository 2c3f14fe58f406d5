import { useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection/connection.ts";
import { outbox } from "../store/outgoing/outbox.ts";

/** Shown while the daemon is unreachable: what is waiting to be sent and when the page reconnects. */
export function Banner() {
  const now = useCell(connection);
  const waiting = useCell(outbox);
  if (now.state !== "offline") return null;
  return (
    <div role="alert" className="flex items-center gap-3 border-b border-line bg-need-wash px-4 py-1.5 text-need">
      <span className="size-2 shrink-0 rounded-full bg-need-fill breathe" />
      <p className="grow">
        <b className="font-semibold">The daemon is not responding.</b> Running agents keep working.{" "}
        {waiting.length > 0 && `${pendingText(waiting.length)} `}
        <Countdown to={now.nextAt} />
      </p>
    </div>
  );
}

function Countdown({ to }: { to: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((to - now) / 1000);
  return <span className="text-soft">{seconds > 0 ? `Reconnecting in ${seconds} s.` : "Reconnecting…"}</span>;
}

function pendingText(count: number): string {
  return count === 1
    ? "1 change is saved in this browser and will be sent when it is back."
    : `${count} changes are saved in this browser and will be sent when it is back.`;
}
