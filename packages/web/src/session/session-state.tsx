import { type SessionView, sessionState } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { limitTitle } from "../limits/limit-text.ts";
import { useCell } from "../store/cell.ts";
import { liveActivity } from "../store/sessions/live.ts";
import { classes } from "../ui/classes.ts";
import { Ago } from "../ui/display/ago.tsx";
import { formatDuration } from "../ui/display/format.ts";

/** What the session is doing, as text. */
export function StateText({ session }: { session: SessionView }) {
  const state = sessionState(session);
  if (state === "ended") return <Text>Ended</Text>;
  if (state === "waiting") return <Text tone="need">Needs you: {session.inputs[0]?.title ?? "an answer"}</Text>;
  if (session.stalled) return <Text tone="need">Stalled: {session.stalled.reason}</Text>;
  if (state === "running") return <Working session={session} />;
  if (state === "limited")
    return <Text tone="need">{session.limit ? limitTitle(session.limit) : "Held by a limit"}</Text>;
  if (!session.lastTurn) return <Text>Not started yet</Text>;
  const { outcome, endedAt } = session.lastTurn;
  const label = { completed: "Done", interrupted: "Stopped", failed: "Failed" }[outcome] ?? outcome;
  return (
    <Text tone={outcome === "failed" ? "bad" : undefined}>
      {label} · <Ago at={endedAt} />
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
