import type { ConflictMatrix, LaneList, LaneSuggestion, LaneUndo } from "@gantry/protocol";
import { useCallback, useEffect } from "react";
import { client } from "../store/connection/client.ts";
import { onEvent } from "../store/sessions/feed.ts";
import { type Query, useQuery } from "../ui/load/use-query.ts";

/** Events after which a worktree may have changed. */
const CHANGING_EVENTS = new Set(["turn.ended", "session.created", "diff.updated"]);
const DEBOUNCE_MS = 700;
/** Changes made outside of Gantry cause no event, so lanes are polled while the page is visible. */
const POLL_MS = 5_000;

export type LaneOverview = {
  lanes: Query<LaneList>;
  /** Slower to load than the list of lanes; absent until loaded. */
  conflicts?: ConflictMatrix[];
  suggestions?: LaneSuggestion[];
  undos?: LaneUndo[];
  reload: () => void;
};

/** Every lane of every repository, reloaded after an agent has worked. */
export function useLanes(): LaneOverview {
  const lanes = useQuery("lanes", () => client.call("listLanes", { query: { archived: "all" } }));
  const conflicts = useQuery("conflicts", () => client.call("conflicts", { query: {} }));
  const suggestions = useQuery("suggestions", () => client.call("laneSuggestions", { query: {} }));
  const undos = useQuery("undos", () => client.call("laneUndos", { query: {} }));
  const reloads = [lanes.reload, conflicts.reload, suggestions.reload, undos.reload];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reload functions are stable.
  const reload = useCallback(() => {
    for (const again of reloads) again();
  }, []);
  useWorkTreeChanges(reload);
  usePolling(lanes.reload);
  return {
    lanes,
    conflicts: conflicts.value?.repositories,
    suggestions: suggestions.value?.suggestions,
    undos: undos.value?.undos,
    reload,
  };
}

/** Calls `reload` after events that may have changed a worktree, debounced. */
export function useWorkTreeChanges(reload: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      if (!CHANGING_EVENTS.has(event.type)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [reload]);
}

function usePolling(reload: () => void): void {
  useEffect(() => {
    const poll = () => document.visibilityState === "visible" && reload();
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [reload]);
}
