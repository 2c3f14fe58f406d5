import type { Usage } from "@gantry/protocol";
import { noUsage } from "@gantry/protocol";
import type { Output } from "../../contract.ts";
import type { Dialect } from "../dialect.ts";
import { send } from "../outputs.ts";
import type { State } from "../state.ts";
import { promptRequest, textBlock } from "./prompt.ts";

/** Marks the question how many tokens were used, which is no prompt of a person's. */
export const COUNT = "gantry/count";

/** Is the agent to be asked for the tokens of this turn? Only of one that we began: a recording holds no answer. */
export function isCounted(state: State): boolean {
  return state.counts === true && (state.prompts[0]?.message !== undefined || state.turn?.told === true);
}

/** The question. The agent answers it itself: no model is asked. */
export function countFrame({ tokens }: Dialect, state: State): Output {
  return send(promptRequest(state, [textBlock(`/${tokens?.command}`)], { [COUNT]: true }));
}

/** The tokens of the process so far, in the agent's words. */
export function readCount({ tokens }: Dialect, said: string): Usage | undefined {
  const { input, output } = tokens?.pattern.exec(said)?.groups ?? {};
  return input && output ? { ...noUsage, input: Number(input), output: Number(output) } : undefined;
}
