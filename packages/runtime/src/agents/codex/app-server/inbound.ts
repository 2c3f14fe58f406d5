import type { ControlValues, Mode } from "@gantry/protocol";
import { type RpcId, readRpc } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { readControls, readMode, type Settings } from "../modes.ts";
import { isPing } from "./encode.ts";
import { readReply } from "./inputs/replies.ts";
import { requestKey } from "./inputs/requests.ts";
import { noteSubagentStop } from "./items/subagents.ts";
import type { Pending, State } from "./state.ts";
import { noteTermination, TERMINATE } from "./terminals.ts";
import { pendingKey } from "./turns.ts";

/** Decodes a frame written to the agent: tracks requests and settles the agent's requests. */
export function inbound(state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  switch (message?.kind) {
    case "request":
      return recordRequest(state, message.id, message.method, fields(message.params));
    case "result":
      return recordReply(state, requestKey(message.id), fields(message.result));
    case "error":
      return recordReply(state, requestKey(message.id), undefined);
    default:
      return [state, []];
  }
}

function recordRequest(state: State, id: RpcId, method: string, params: Fields): Step<State> {
  if (isPing(id)) return [state, []];
  const controls = method === "turn/start" ? readControls(params) : {};
  const pending: Pending = compact({
    method,
    message: messageId(params),
    change: changeOf(method, params),
    controls: Object.keys(controls).length > 0 ? controls : undefined,
  });
  const nextId = typeof id === "number" && Number.isSafeInteger(id) ? Math.max(state.nextId, id + 1) : state.nextId;
  const next: State = { ...state, both: true, nextId, pending: { ...state.pending, [pendingKey(id)]: pending } };
  switch (method) {
    case "turn/start":
      return [next, [promptOutput(params, state.turn !== undefined)]];
    case "turn/steer":
      return [next, [promptOutput(params, true)]];
    case TERMINATE:
      return [noteTermination(next, params), []];
    case "turn/interrupt":
      return [noteSubagentStop(next, params), []];
    case "thread/compact/start":
      return [{ ...next, compaction: { manual: true } }, []];
    default:
      return [next, []];
  }
}

/** Our messages carry our ids; other clients use none or their own. */
function messageId(params: Fields): string | undefined {
  const name = nonBlank(params.clientUserMessageId);
  return name?.startsWith("msg_") ? name : undefined;
}

function promptOutput(params: Fields, steer: boolean): Output {
  const prompt = list(params.input)
    .map((entry) => text(fields(entry).text))
    .filter((part) => part !== undefined);
  return compact({ kind: "prompted", text: prompt.join("\n"), message: messageId(params), steer: steer || undefined });
}

/** `gantry` is ours: the requested mode and controls. Recordings of other clients lack it. */
function changeOf(method: string, params: Fields): Settings | undefined {
  if (method !== "thread/settings/update") return undefined;
  const { mode: asked, controls } = fields(params.gantry) as { mode?: Mode; controls?: ControlValues };
  // Without the model's name, the collaboration mode follows with the turn.
  const mode = asked === "plan" ? asked : params.approvalPolicy === undefined ? undefined : readMode(params);
  return compact({ model: nonBlank(params.model), effort: nonBlank(params.effort), mode, asked, controls });
}

/** Our answer was sent: the request is settled. An error response counts as a denial. */
function recordReply(state: State, key: string, result: Fields | undefined): Step<State> {
  const ask = ownValue(state.asks, key);
  if (!ask) return [state, []];
  const answer = result ? readReply(ask, result) : ({ decision: "deny" } as const);
  return [{ ...state, asks: withoutKey(state.asks, key) }, [{ kind: "answered", key, answer }]];
}
