import type { Step } from "../../../contract.ts";
import { compact } from "../../../fields.ts";
import { event } from "../../outputs.ts";
import type { State } from "../state.ts";

/** Handles the start of a compaction. */
export function startCompaction(state: State): Step<State> {
  const compaction = compact({ ...state.compaction, before: state.context });
  return [{ ...state, compaction }, [{ kind: "activity", state: "compacting" }]];
}

/** Handles the end of a compaction, which may be reported twice. */
export function endCompaction(state: State, turn: string | undefined): Step<State> {
  if (turn !== undefined && state.compactedIn === turn) return [state, []];
  const { compaction, ...rest } = state;
  const done = event(
    "context.compacted",
    compact({
      trigger: compaction?.manual ? "manual" : "auto",
      before: compaction?.before,
      after: state.context,
    } as const),
  );
  return [compact({ ...rest, compactedIn: turn }), [done]];
}
