import type { ControlValues } from "@gantry/protocol";
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
  return [{ ...rest, phase: "open" }, [output, ...controlOutputs(dialect, state)]];
}

/** The agent's answer to a request of the opening does not follow the protocol. */
export function refuseOpening(state: State, message: string): Step<State> {
  const why = failure("protocol", message, "Update the agent, or check the command of its profile.");
  const failed: Output = { kind: "finish", outcome: "failed", reason: why.message, error: why };
  return [{ ...state, phase: "settled" }, [{ kind: "ack", key: "open" }, event("error", why), failed]];
}

/** The native mode as the value of its control. Modes that Gantry defined for the process are not among the choices. */
function controlOutputs({ controls, modesPerProcess }: Dialect, { settings, offers, seed }: State): Output[] {
  if (!controls) return [];
  const isOurs = (native: string) => modesPerProcess === true && native.endsWith(`-${seed}`);
  const own = (offers.modes ?? []).filter((native) => !isOurs(native) && !native.startsWith("gantry-"));
  const values: ControlValues = settings.mode && !isOurs(settings.mode) ? { [controls.native]: settings.mode } : {};
  const choices = own.length > 0 ? { choices: { [controls.native]: own } } : {};
  return [{ kind: "controls", values, all: true, ...choices }];
}
