import type { CommitPlan, SessionView } from "@gantry/protocol";
import { useEffect } from "react";
import { client } from "../../store/connection/client.ts";
import { onEvent } from "../../store/sessions/feed.ts";
import { useQuery } from "../../ui/load/use-query.ts";

/** Events of any session after which a work tree or its branches may differ. */
const CHANGING_EVENTS = new Set(["turn.ended", "diff.updated", "tool.ended"]);
const DEBOUNCE_MS = 1000;
/** Changes outside of Gantry cause no event. */
const POLL_MS = 30_000;

export type GitState = { plan?: CommitPlan; reload: () => void };

/** Branch and changes of the session's folder. No plan if the folder is no repository. */
export function useGit({ id, cwd, turn }: SessionView): GitState {
  const { value, reload } = useQuery(`${id} ${cwd} ${turn?.id}`, () =>
    client.changes.commitPlan(id).catch(() => undefined),
  );
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reloadVisible = () => document.visibilityState === "visible" && reload();
    const stop = onEvent((event) => {
      if (!CHANGING_EVENTS.has(event.type)) return;
      clearTimeout(timer);
      timer = setTimeout(reloadVisible, DEBOUNCE_MS);
    });
    const poll = setInterval(reloadVisible, POLL_MS);
    addEventListener("focus", reloadVisible);
    document.addEventListener("visibilitychange", reloadVisible);
    return () => {
      clearTimeout(timer);
      clearInterval(poll);
      stop();
      removeEventListener("focus", reloadVisible);
      document.removeEventListener("visibilitychange", reloadVisible);
    };
  }, [reload]);
  return { plan: value, reload };
}
