import type { ConflictMatrix, LaneList, LaneSuggestion, LaneUndo } from "@gantry/protocol";
import { useCallback, useEffect } from "react";
import { client } from "../store/client.ts";
import { onEvent } from "../store/feed.ts";
import { type Query, useQuery } from "../ui/load/use-query.ts";

/** Events after which work trees may be other than they were. */
const MOVING = new Set(["turn.ended", "session.created", "diff.updated"]);
const CALM_MS = 700;
/** People work in lanes too, and nobody tells of that: while the page is looked at, it looks again. */
const LOOK_MS = 5_000;

export type LaneOverview = {
  lanes: Query<LaneList>;
  /** What takes longer to find out than which lanes there are; each is absent while it is not known. */
  radar?: ConflictMatrix[];
  suggestions?: LaneSuggestion[];
  undos?: LaneUndo[];
  reload: () => void;
};

/** Every lane of every repository, asked anew when an agent has worked. */
export function useLanes(): LaneOverview {
  const lanes = useQuery("lanes", () => client.call("listLanes", { query: { archived: "all" } }));
  const radar = useQuery("radar", () => client.call("conflicts", { query: {} }));
  const suggestions = useQuery("suggestions", () => client.call("laneSuggestions", { query: {} }));
  const undos = useQuery("undos", () => client.call("laneUndos", { query: {} }));
  const reloads = [lanes.reload, radar.reload, suggestions.reload, undos.reload];
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them stays the same.
  const reload = useCallback(() => {
    for (const again of reloads) again();
  }, []);
  useWhenMoved(reload);
  useWhileSeen(lanes.reload);
  return {
    lanes,
    radar: radar.value?.repositories,
    suggestions: suggestions.value?.suggestions,
    undos: undos.value?.undos,
    reload,
  };
}

/** Calls `reload` when something has happened that may have moved a work tree, a moment after the last of it. */
export function useWhenMoved(reload: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      if (!MOVING.has(event.type)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, CALM_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [reload]);
}

function useWhileSeen(reload: () => void): void {
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && reload();
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [reload]);
}
