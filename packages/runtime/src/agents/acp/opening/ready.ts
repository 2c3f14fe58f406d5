import type { Output, Step } from "../../contract.ts";
import { compact } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { provenRung } from "../rungs.ts";
import type { State } from "../state.ts";

/** All settings are applied: the conversation accepts prompts. */
export function becomeReady(dialect: Dialect, state: State): Step<State> {
  if (state.phase !== "setting") return [state, []];
  const { models, ...rest } = state;
  const { model, mode } = state.settings;
  const rung = provenRung(dialect, state, mode);
  const output: Output = compact({ kind: "ready", handle: state.session, model, mode: rung, native: mode, models });
  return [{ ...rest, phase: "open" }, [output]];
}
