import { useEffect, useState } from "react";
import { Badge } from "../../ui/display/badge.tsx";
import { formatDuration } from "../../ui/display/format.ts";

/** Counts down the time left to answer. */
export function Expiry({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(at) - now;
  const text = left > 0 ? `${formatDuration(Math.ceil(left / 1000) * 1000)} left` : "Expired";
  return (
    <Badge tone="need" title={`Expires at ${new Date(at).toLocaleTimeString()}`}>
      <span role="timer">{text}</span>
    </Badge>
  );
}
