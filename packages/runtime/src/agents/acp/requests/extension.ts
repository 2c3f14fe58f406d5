import type { InputAnswer } from "@gantry/protocol";
import { rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { InputDraft, Step } from "../../contract.ts";
import { type Fields, put } from "../../fields.ts";
import { send } from "../outputs.ts";
import { type Ask, requestKey, runSteps, type State } from "../state.ts";
import { begun } from "../turns/begin.ts";
import { closeText } from "../updates/texts.ts";
import type { AgentRequest } from "./requests.ts";

/**
 * A method of an agent's own, beside the protocol, as notification or request. All functions are pure and total: they
 * get what the agent sent, whatever that is.
 */
export type Extension = {
  /** What it tells of the session. */
  tell?(state: State, params: Fields): Step<State>;
  /** What it puts to a person; only for requests. */
  ask?: Asking;
  /** The result of a request that is put to nobody. */
  taken?: Fields;
};

export type Asking = {
  /** The input, and what the answer will need to know of it. */
  request(params: Fields): { input: InputDraft; kept: Fields };
  /** The agent's own words for an answer, and back from a recorded one. */
  result(answer: InputAnswer, kept: Fields): Fields;
  read(result: Fields, kept: Fields): InputAnswer;
};

/** A request of the agent's own. After its turn was stopped nobody is asked any more. */
export function askExtension(extension: Extension, state: State, request: AgentRequest): Step<State> {
  const { ask, tell, taken = {} } = extension;
  const { id, params } = request;
  const told = (current: State): Step<State> => tell?.(current, params) ?? [current, []];
  const answer = (result: Fields): Step<State> => [state, [send(withVersion(rpcResult(id, result)))]];
  if (!ask) return runSteps(state, told, (current) => [current, answer(taken)[1]]);
  const { input, kept } = ask.request(params);
  if (state.turn?.cancelled) return answer(ask.result({ decision: "cancel" }, kept));
  return runSteps(state, begun, closeText, told, (current) => {
    const key = requestKey(id);
    const open: Ask = { id, kind: "extension", method: request.method, kept };
    const turn = current.turn && { turn: { ...current.turn, said: true } };
    return [{ ...current, ...turn, asks: put(current.asks, key, open) }, [{ kind: "ask", key, request: input }]];
  });
}
