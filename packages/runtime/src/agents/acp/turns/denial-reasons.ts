import { addUsage, noUsage } from "@gantry/protocol";
import type { Step } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import { send } from "../outputs.ts";
import type { State } from "../state.ts";
import { turnUsage } from "../wire/usage.ts";
import { promptFrame, textBlock } from "./prompt.ts";

/** The user's denial reason. The protocol has no field for it, so it is sent in the response's `_meta`. */
export const REASON_META = "gantry/reason";

/**
 * Sends the denial reasons as another prompt and continues the turn. Some agents stop at a denied call, others continue
 * without it.
 */
export function sendReasons(state: State, result: Fields): Step<State> {
  const { reasons = [], prompts, turn, ...rest } = state;
  const block = textBlock(`About what I declined: ${reasons.join("\n")}`);
  const reported = turnUsage(result);
  const usage = reported ? addUsage(turn?.usage ?? noUsage, reported) : turn?.usage;
  const next: State = compact({
    ...rest,
    prompts: prompts.slice(1),
    turn: compact({ ...turn, usage, sentReasons: true }),
  });
  return [next, [send(promptFrame(next, [block]).msg, { repeat: "ask" })]];
}
