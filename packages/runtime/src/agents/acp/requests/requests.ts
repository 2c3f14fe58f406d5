import { type RpcId, rpcErrors, rpcFailure, rpcResult, withVersion } from "../../../framing/json-rpc.ts";
import type { Step } from "../../contract.ts";
import { type Fields, own, put, text } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { notice, raw, send } from "../outputs.ts";
import { requestKey, runSteps, type State } from "../state.ts";
import { trailOver } from "../turns/finish.ts";
import { isForeign } from "../updates/updates.ts";
import { askElicitation } from "./elicitation.ts";
import { askExtension } from "./extension.ts";
import { askPermission } from "./permission.ts";

export type AgentRequest = { id: RpcId; method: string; params: Fields };

/**
 * The agent asks something of its client. What only a person can answer becomes an input; everything else is refused at
 * once, so that the agent never waits for an answer that will not come.
 */
export function agentRequest(dialect: Dialect, state: State, request: AgentRequest, frame: unknown): Step<State> {
  const { id, params } = request;
  if (isForeign(state, text(params.sessionId))) return [state, [refusal(id, "This is not the client's conversation.")]];
  return runSteps(
    state,
    // Who asks has begun something new.
    (current) => trailOver(dialect, current),
    (current) => asked(dialect, current, request, frame),
  );
}

function asked(dialect: Dialect, state: State, request: AgentRequest, frame: unknown): Step<State> {
  const { id, method } = request;
  switch (method) {
    case "session/request_permission":
      if (state.turn?.cancelled)
        return [state, [send(withVersion(rpcResult(id, { outcome: { outcome: "cancelled" } })))]];
      return askPermission(dialect, state, request);
    case "session/elicitation":
    case "elicitation/create":
      return askElicitation(state, request);
  }
  const extension = own(dialect.extensions ?? {}, method);
  if (extension) return askExtension(extension, state, request);
  if (/^(fs|terminal)\//.test(method)) return clientWork(state, request);
  if (dialect.quiet?.includes(method)) return [state, [refusal(id, `This client does not know ${method}.`)]];
  const unknown = raw(frame, "unknown request of the agent, answered with an error");
  return [state, [refusal(id, `This client does not know ${method}.`), unknown]];
}

/**
 * Files and terminals of the client. We offer none, and say so; a recording may be of a client that does, and then what
 * it showed in a terminal is the output of a tool call.
 */
function clientWork(state: State, { id, method, params }: AgentRequest): Step<State> {
  const [group] = method.split("/") as ["fs" | "terminal"];
  const refused = refusal(id, `This client does not offer ${method}: the agent works on its own files and terminals.`);
  const terminal = text(params.terminalId);
  const serving =
    terminal && method === "terminal/output" ? put(state.serving, requestKey(id), terminal) : state.serving;
  const told =
    state.serves?.[group] || !state.both
      ? []
      : [notice("client", "warning", `The agent asked for ${method}, which is not offered to it.`)];
  return runSteps({ ...state, serving }, (current) => [current, [refused, ...told]]);
}

function refusal(id: RpcId, message: string) {
  return send(withVersion(rpcFailure(id, rpcErrors.methodNotFound, message)));
}
