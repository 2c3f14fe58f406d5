import type { InputAnswer } from "@gantry/protocol";
import { rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { InputDraft, Step } from "../../contract.ts";
import { type Fields, put } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import { send } from "../outputs.ts";
import { type OpenRequest, requestKey, type State } from "../state.ts";
import { ensureTurn } from "../turns/begin.ts";
import { closeText } from "../updates/texts.ts";
import type { AgentRequest } from "./requests.ts";

/** A vendor method, as notification or request. All functions are pure and total: params may be anything. */
export type Extension = {
  /** Decodes the params. */
  notify?(state: State, params: Fields): Step<State>;
  /** Maps a request to an input for the user. */
  ask?: ExtensionInput;
  /** The result of a request that needs no user. */
  taken?: Fields;
};

export type ExtensionInput = {
  /** The input, and the data needed to encode the answer (stored in the state). */
  request(params: Fields): { input: InputDraft; data: Fields };
  /** Encodes an answer for the agent, and decodes a recorded one. */
  result(answer: InputAnswer, data: Fields): Fields;
  read(result: Fields, data: Fields): InputAnswer;
};

/** Handles a vendor request. After an interrupt it is answered as cancelled. */
export function askExtension(extension: Extension, state: State, request: AgentRequest): Step<State> {
  const { ask, notify, taken = {} } = extension;
  const { id, params } = request;
  const decode = (current: State): Step<State> => notify?.(current, params) ?? [current, []];
  const answer = (result: Fields): Step<State> => [state, [send(withVersion(rpcResult(id, result)))]];
  if (!ask) return runSteps(state, decode, (current) => [current, answer(taken)[1]]);
  const { input, data } = ask.request(params);
  if (state.turn?.cancelled) return answer(ask.result({ decision: "cancel" }, data));
  return runSteps(state, ensureTurn, closeText, decode, (current) => {
    const key = requestKey(id);
    const open: OpenRequest = { id, kind: "extension", method: request.method, kept: data };
    const turn = current.turn && { turn: { ...current.turn, said: true } };
    return [{ ...current, ...turn, asks: put(current.asks, key, open) }, [{ kind: "ask", key, request: input }]];
  });
}
