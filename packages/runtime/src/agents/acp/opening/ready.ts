import type { Output, Step } from "../../contract.ts";
import { compact } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { rungOf } from "../rungs.ts";
import type { State } from "../state.ts";

/** Everything is set: the conversation takes prompts from now on. */
export function ready(dialect: Dialect, state: State): Step<State> {
  if (state.phase !== "setting") return [state, []];
  const { models, ...rest } = state;
  const { model, mode } = state.settings;
  const rung = rungOf(dialect, state, mode);
  const told: Output = compact({ kind: "ready", handle: state.session, model, mode: rung, models });
  return [{ ...rest, phase: "open" }, [told]];
}
