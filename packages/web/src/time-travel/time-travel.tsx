import type { SessionView } from "@gantry/protocol";
import { useState, useSyncExternalStore } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { client } from "../store/connection/client.ts";
import { Tabs } from "../ui/controls/tabs.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ForkDialog } from "./fork-dialog.tsx";
import { seqOfTurn } from "./fork-places.ts";
import { leavePast, usePastSeq } from "./past-address.ts";
import { PastFacts } from "./past-facts.tsx";
import { PastTranscript } from "./past-transcript.tsx";
import { TimeBar } from "./time-bar.tsx";
import { useMoment } from "./use-past.ts";

const WIDE = matchMedia("(min-width: 1000px)");

function onWidthChange(listener: () => void): () => void {
  WIDE.addEventListener("change", listener);
  return () => WIDE.removeEventListener("change", listener);
}

/** A session as it was after one of its events, and a slider over all of them. Replaces transcript and composer. */
export default function TimeTravel({ session: { id, lastSeq } }: { session: SessionView }) {
  const [seq, move] = usePastSeq(id, lastSeq);
  const { value: past, error, retry } = useMoment(id, seq);
  const { value: turns = [] } = useQuery(id, () => client.turns.list(id));
  const [forking, setForking] = useState(false);
  const leave = () => leavePast(id);
  useShortcuts([
    { keys: "left", does: "Previous event", run: () => move(Math.max(1, seq - 1)) },
    { keys: "right", does: "Next event", run: () => move(Math.min(lastSeq, seq + 1)) },
    { keys: "shift+left", does: "Previous turn", run: () => move(seqOfTurn(turns, seq, -1, lastSeq)) },
    { keys: "shift+right", does: "Next turn", run: () => move(seqOfTurn(turns, seq, 1, lastSeq)) },
    { keys: "escape", does: "Back to now", run: leave },
  ]);
  const facts = (
    <>
      {error !== undefined && <LoadError error={error} onRetry={retry} />}
      {past && <PastFacts past={past} />}
      {!past && error === undefined && <p className="text-faint">Loading…</p>}
    </>
  );
  return (
    <>
      <Moment transcript={<PastTranscript session={id} seq={seq} />} facts={facts} />
      <TimeBar
        session={id}
        seq={seq}
        end={lastSeq}
        past={past}
        turns={turns}
        onMove={move}
        onFork={() => setForking(true)}
        onLeave={leave}
      />
      {forking && past && <ForkDialog past={past} turns={turns} onClose={() => setForking(false)} />}
    </>
  );
}

/** Side by side, or as two tabs on a narrow screen. */
function Moment({ transcript, facts }: { transcript: React.ReactNode; facts: React.ReactNode }) {
  const isWide = useSyncExternalStore(onWidthChange, () => WIDE.matches);
  const [tab, setTab] = useState("transcript");
  if (isWide)
    return (
      <div className="flex min-h-0 grow">
        <div className="flex min-h-0 min-w-0 grow flex-col">{transcript}</div>
        <aside aria-label="At this moment" className="w-80 shrink-0 overflow-y-auto border-l border-line px-4 py-3">
          {facts}
        </aside>
      </div>
    );
  const tabs = [
    { id: "transcript", name: "Transcript", content: () => transcript },
    { id: "facts", name: "State, plan and files", content: () => <div className="overflow-y-auto px-4">{facts}</div> },
  ];
  return (
    <div className="flex min-h-0 grow flex-col [&>[role=tablist]]:mb-1 [&>[role=tablist]]:shrink-0 [&>[role=tabpanel]]:flex [&>[role=tabpanel]]:min-h-0 [&>[role=tabpanel]]:grow [&>[role=tabpanel]]:flex-col">
      <Tabs label="At this moment" tabs={tabs} chosen={tab} onChoose={setTab} />
    </div>
  );
}
