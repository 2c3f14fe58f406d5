import { type RpcId, rpcErrors, rpcFailure, rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { Step } from "../../contract.ts";
import { ownValue, put, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { notice, raw, send } from "../outputs.ts";
import { type AgentRequest, isUsableId, requestKey, type State } from "../state.ts";
import { releaseEnd } from "../turns/finish.ts";
import { isForeign } from "../updates/updates.ts";
import { askElicitation } from "./elicitation.ts";
import { askExtension } from "./extension.ts";
import { askPermission } from "./permission.ts";

/** More open requests than this are rejected at once: no person can answer them. */
const MAX_OPEN_REQUESTS = 100;

/**
 * Handles a request from the agent. Requests for the user become inputs; everything else is rejected at once, so that
 * the agent never waits for a missing response.
 */
export function handleAgentRequest(dialect: Dialect, state: State, request: AgentRequest, frame: unknown): Step<State> {
  const { id, params } = request;
  if (isForeign(state, text(params.sessionId))) {
    const refused = refusal(id, "This is not the client's conversation.");
    return [state, [refused, raw(frame, "request for another conversation, rejected")]];
  }
  if (Object.keys(state.asks).length >= MAX_OPEN_REQUESTS)
    return [state, [refusal(id, "Too many requests are open."), raw(frame, "too many open requests, rejected")]];
  if (typeof id === "string" && !isUsableId(id))
    return [state, [refusal(id, "The id of the request is not usable."), raw(frame, "unusable request id, rejected")]];
  // A response would answer both.
  if (ownValue(state.asks, requestKey(id))) return [state, [raw(frame, "request with the id of an open request")]];
  return runSteps(
    state,
    // A request starts new work, so the previous turn is complete.
    (current) => releaseEnd(dialect, current),
    (current) => dispatchRequest(dialect, current, request, frame),
  );
}

function dispatchRequest(dialect: Dialect, state: State, request: AgentRequest, frame: unknown): Step<State> {
  const { id, method } = request;
  switch (method) {
    case "session/request_permission":
      if (state.turn?.cancelled) return [state, [cancelPermission(id)]];
      return (
        askPermission(dialect, state, request) ?? [
          state,
          [cancelPermission(id), raw(frame, "permission request that cannot be answered, cancelled")],
        ]
      );
    case "session/elicitation":
    case "elicitation/create":
      return askElicitation(state, request);
  }
  const extension = ownValue(dialect.extensions ?? {}, method);
  if (extension) return askExtension(extension, state, request);
  if (/^(fs|terminal)\//.test(method)) return handleClientService(state, request);
  if (dialect.quiet?.includes(method)) return [state, [refusal(id, `This client does not support ${method}.`)]];
  const unknown = raw(frame, "unknown request, rejected");
  return [state, [refusal(id, `This client does not support ${method}.`), unknown]];
}

/**
 * Client files and terminals. Gantry advertises none and rejects such requests. In recordings of clients that do, the
 * terminal output is the output of a tool call.
 */
function handleClientService(state: State, { id, method, params }: AgentRequest): Step<State> {
  const [group] = method.split("/") as ["fs" | "terminal"];
  const refused = refusal(id, `This client does not offer ${method}: the agent works on its own files and terminals.`);
  const terminal = text(params.terminalId);
  const serving =
    terminal && method === "terminal/output" ? put(state.serving, requestKey(id), terminal) : state.serving;
  const notices =
    state.serves?.[group] || !state.both
      ? []
      : [notice("client", "warning", `The agent requested ${method}, which is not available.`)];
  return runSteps({ ...state, serving }, (current) => [current, [refused, ...notices]]);
}

function cancelPermission(id: RpcId) {
  return send(withVersion(rpcResult(id, { outcome: { outcome: "cancelled" } })));
}

function refusal(id: RpcId, message: string) {
  return send(withVersion(rpcFailure(id, rpcErrors.methodNotFound, message)));
}
