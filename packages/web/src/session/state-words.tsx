import { limitWords, type SessionView, sessionState } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { liveActivity } from "../store/live.ts";
import { classes } from "../ui/classes.ts";
import { Ago } from "../ui/display/ago.tsx";
import { formatDuration } from "../ui/display/format.ts";

/** What the session is doing, in words. */
export function StateWords({ session }: { session: SessionView }) {
  const state = sessionState(session);
  if (state === "ended") return <Words>Ended</Words>;
  if (state === "waiting") return <Words tone="need">Needs you: {session.inputs[0]?.title ?? "an answer"}</Words>;
  if (session.stalled) return <Words tone="need">Stalled: {session.stalled.reason}</Words>;
  if (state === "running") return <Working session={session} />;
  if (state === "limited")
    return <Words tone="need">{session.limit ? capital(limitWords(session.limit)) : "Waiting for a limit"}</Words>;
  if (!session.lastTurn) return <Words>Not started yet</Words>;
  const { outcome, endedAt } = session.lastTurn;
  const words = { completed: "Done", interrupted: "Stopped", failed: "Failed" }[outcome] ?? outcome;
  return (
    <Words tone={outcome === "failed" ? "bad" : undefined}>
      {words} · <Ago at={endedAt} />
    </Words>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const tones = { need: "text-need", bad: "text-bad" } as const;

function Words({ tone, children }: { tone?: keyof typeof tones; children: React.ReactNode }) {
  return <span className={classes("max-w-96 shrink-0 truncate", tone && tones[tone])}>{children}</span>;
}

/** The turn's time goes on; what the agent is at right now stands beside it where it says so. */
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
    <Words tone={retrying ? "need" : undefined}>
      {retrying ? "Trying again" : "Working"}{" "}
      <span className="tabular-nums">{since >= 1000 ? formatDuration(Math.floor(since / 1000) * 1000) : ""}</span>
    </Words>
  );
}
