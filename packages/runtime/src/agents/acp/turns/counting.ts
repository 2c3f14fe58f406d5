import type { Usage } from "@gantry/protocol";
import { noUsage } from "@gantry/protocol";
import type { Output } from "../../contract.ts";
import type { Dialect } from "../dialect.ts";
import { send } from "../outputs.ts";
import type { State } from "../state.ts";
import { promptRequest, textBlock } from "./prompt.ts";

/** Marks the usage request, which is not a user prompt. */
export const COUNT_META = "gantry/count";

/** Whether to request the usage of this turn. Only for our own turns, because a recording holds no response. */
export function needsCount(state: State): boolean {
  return state.counts === true && (state.prompts[0]?.message !== undefined || state.turn?.sentReasons === true);
}

/** The usage request. The agent answers it without calling the model. */
export function countFrame({ tokens }: Dialect, state: State): Output {
  return send(promptRequest(state, [textBlock(`/${tokens?.command}`)], { [COUNT_META]: true }));
}

/** Parses the cumulative usage from the agent's reply. */
export function readCount({ tokens }: Dialect, reply: string): Usage | undefined {
  const { input, output } = tokens?.pattern.exec(reply)?.groups ?? {};
  return input && output ? { ...noUsage, input: Number(input), output: Number(output) } : undefined;
}
