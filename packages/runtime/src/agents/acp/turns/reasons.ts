import { addUsage, noUsage } from "@gantry/protocol";
import type { Step } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import { send } from "../outputs.ts";
import type { State } from "../state.ts";
import { turnUsage } from "../wire/usage.ts";
import { promptFrame, textBlock } from "./prompt.ts";

/** Why a person said no. The protocol has no place for it, so it travels beside the answer. */
export const REASON = "gantry/reason";

/**
 * The agent stopped, and has yet to hear why something was denied: it is told, and the turn goes on. Some stop at once
 * when a tool call is denied, others have gone on without it.
 */
export function tellReasons(state: State, result: Fields): Step<State> {
  const { reasons = [], prompts, turn, ...rest } = state;
  const said = textBlock(`About what I declined: ${reasons.join("\n")}`);
  const told = turnUsage(result);
  const usage = told ? addUsage(turn?.usage ?? noUsage, told) : turn?.usage;
  const next: State = compact({ ...rest, prompts: prompts.slice(1), turn: compact({ ...turn, usage, told: true }) });
  return [next, [send(promptFrame(next, [said]).msg, { repeat: "ask" })]];
}
