import { rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { Step } from "../../contract.ts";
import { type Fields, put } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Extension } from "../dialect.ts";
import { send } from "../outputs.ts";
import { type AgentRequest, type OpenRequest, requestKey, type State } from "../state.ts";
import { ensureTurn } from "../turns/begin.ts";
import { closeText } from "../updates/texts.ts";

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
    const open: OpenRequest = { id, kind: "extension", method: request.method, data };
    const turn = current.turn && { turn: { ...current.turn, hasOutput: true } };
    return [{ ...current, ...turn, asks: put(current.asks, key, open) }, [{ kind: "ask", key, request: input }]];
  });
}
