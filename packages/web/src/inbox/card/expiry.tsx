import { useEffect, useState } from "react";
import { Badge } from "../../ui/display/badge.tsx";
import { formatDuration } from "../../ui/display/format.ts";

/** How long there is left to answer, counted down. */
export function Expiry({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(at) - now;
  const text = left > 0 ? `${formatDuration(Math.ceil(left / 1000) * 1000)} left` : "Time is up";
  return (
    <Badge tone="need" title={`Waits until ${new Date(at).toLocaleTimeString()}`}>
      <span role="timer">{text}</span>
    </Badge>
  );
}
