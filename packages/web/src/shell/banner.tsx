import { useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection.ts";
import { outbox } from "../store/outbox.ts";

/** Says when the page has lost the daemon, what it keeps meanwhile, and when it tries again. */
export function Banner() {
  const now = useCell(connection);
  const waiting = useCell(outbox);
  if (now.state !== "offline") return null;
  return (
    <div role="alert" className="flex items-center gap-3 border-b border-line bg-need-wash px-4 py-1.5 text-need">
      <span className="size-2 shrink-0 rounded-full bg-need-fill breathe" />
      <p className="grow">
        <b className="font-semibold">The daemon does not answer.</b> Agents go on working without it.{" "}
        {waiting.length > 0 && `${waiting.length} of yours will be sent as soon as it is back. `}
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
  return <span className="text-soft">{seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again …"}</span>;
}
