import { failure } from "@gantry/protocol";
import type { Output, Step } from "../../contract.ts";
import { compact } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";
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

/** The agent's answer to a request of the opening does not follow the protocol. */
export function refuseOpening(state: State, message: string): Step<State> {
  const why = failure("protocol", message, "Update the agent, or check the command of its profile.");
  const failed: Output = { kind: "finish", outcome: "failed", reason: why.message, error: why };
  return [{ ...state, phase: "settled" }, [{ kind: "ack", key: "open" }, event("error", why), failed]];
}
