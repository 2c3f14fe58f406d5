import { groupNames, type SessionView, sessionStatus, statusText } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { liveActivity } from "../store/sessions/live.ts";
import { classes } from "../ui/classes.ts";
import { Ago } from "../ui/display/ago.tsx";
import { formatDuration } from "../ui/display/format.ts";

/** What the session is doing, in the terms of every list. */
export function StateText({ session }: { session: SessionView }) {
  const status = sessionStatus(session);
  const { group, failed, detail, since } = status;
  if (group === "working" && session.turn) return <Working session={session} />;
  if (failed) return <Text tone="bad">Failed: {detail ?? "the turn did not finish"}</Text>;
  if (group === "needs_you" || group === "held")
    return (
      <Text tone="need">
        {groupNames[group]} · {detail ?? status.reason}
      </Text>
    );
  if (group === "working" || !session.lastTurn) return <Text>{statusText(status)}</Text>;
  return (
    <Text>
      {statusText(status)} · <Ago at={since} />
    </Text>
  );
}

const tones = { need: "text-need", bad: "text-bad" } as const;

function Text({ tone, children }: { tone?: keyof typeof tones; children: React.ReactNode }) {
  return <span className={classes("min-w-0 max-w-96 truncate", tone && tones[tone])}>{children}</span>;
}

/** The state of a running turn with its elapsed time. */
function Working({ session }: { session: SessionView }) {
  const activity = useCell(liveActivity(session.id));
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const since = session.turn ? now - Date.parse(session.turn.startedAt) : 0;
  const retrying = activity?.type === "retry";
  return (
    <Text tone={retrying ? "need" : undefined}>
      {retrying ? "Retrying" : "Working"}{" "}
      <span className="tabular-nums">{since >= 1000 ? formatDuration(Math.floor(since / 1000) * 1000) : ""}</span>
    </Text>
  );
}
