import type { InputAnswer } from "@gantry/protocol";
import { type RpcId, readRpc } from "../../framing/json-rpc.ts";
import type { Output, Step } from "../contract.ts";
import {
  compact,
  type Fields,
  fields,
  list,
  nonBlank,
  ownValue,
  put,
  text,
  wholeNumber,
  withoutKey,
} from "../fields.ts";
import { runSteps } from "../steps.ts";
import { type Dialect, replaysFor } from "./dialect.ts";
import { isPing } from "./opening/ping.ts";
import { becomeReady } from "./opening/ready.ts";
import { changeOf } from "./opening/settings.ts";
import { isDenial, readReply } from "./requests/replies.ts";
import { type PendingRequest, type Prompt, requestKey, type State } from "./state.ts";
import { COUNT_META } from "./turns/counting.ts";
import { REASON_META } from "./turns/denial-reasons.ts";
import { releaseEnd } from "./turns/finish.ts";
import { MESSAGE_META } from "./turns/prompt.ts";
import { handleTerminal } from "./updates/terminals.ts";
import { isForeign } from "./updates/updates.ts";
import { blockText } from "./wire/content.ts";

/** Decodes a frame that was written to the agent: tracks requests and settles the agent's questions. */
export function inbound(dialect: Dialect, state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  const both: State = state.both ? state : { ...state, both: true };
  switch (message?.kind) {
    case "request":
      return handleRequest(dialect, both, message.id, message.method, fields(message.params));
    case "notification":
      return message.method === "session/cancel" ? handleCancel(dialect, both, fields(message.params)) : [both, []];
    case "result":
      return handleReply(dialect, both, requestKey(message.id), fields(message.result));
    case "error":
      return message.id === null ? [both, []] : handleReply(dialect, both, requestKey(message.id), undefined);
    default:
      return [both, []];
  }
}

function handleRequest(dialect: Dialect, state: State, id: RpcId, method: string, params: Fields): Step<State> {
  const nextId = typeof id === "number" && Number.isSafeInteger(id) ? Math.max(state.nextId, id + 1) : state.nextId;
  const foreign = isForeign(state, text(params.sessionId)) && method === "session/prompt";
  const opensMore = /^session\/(new|fork)$/.test(method) && state.phase === "open";
  const change = changeOf(dialect, state, method, params);
  const counts = fields(params._meta)[COUNT_META] === true || undefined;
  const pending: PendingRequest = compact({ method, change, foreign: foreign || opensMore || undefined, counts });
  const known = isPing(id) ? state.pending : put(state.pending, requestKey(id), pending);
  const next: State = { ...state, nextId, pending: known };
  switch (method) {
    case "initialize":
      return [{ ...next, serves: readServices(fields(params.clientCapabilities)) }, []];
    case "session/load":
    case "session/resume":
      return [startReplay(dialect, next, method, params), []];
    case "session/prompt":
      if (foreign) return [next, []];
      return runSteps(
        next,
        (current) => releaseEnd(dialect, current),
        // A prompt implies that the conversation is open.
        (current) => (counts ? [current, []] : becomeReady(dialect, current)),
        (current) => (counts ? [current, []] : handlePrompt(dialect, current, requestKey(id), params)),
      );
    default:
      return [next, []];
  }
}

function readServices(capabilities: Fields): State["serves"] {
  const { readTextFile, writeTextFile } = fields(capabilities.fs);
  const files = readTextFile === true || writeTextFile === true;
  return compact({ fs: files || undefined, terminal: capabilities.terminal === true || undefined });
}

/** `session/load` streams the history before its response. */
function startReplay(dialect: Dialect, state: State, method: string, params: Fields): State {
  if (state.phase === "open") return state;
  const session = text(params.sessionId) ?? state.session;
  return compact({ ...state, session, replaying: replaysFor(dialect, method) || undefined });
}

function handlePrompt(dialect: Dialect, state: State, id: string, params: Fields): Step<State> {
  const prompt = list(params.prompt).map(blockText).join("\n");
  const message = nonBlank(fields(params._meta)[MESSAGE_META]);
  const compacts = prompt.split(/\s/, 1)[0] === `/${dialect.compact}` || undefined;
  const entry: Prompt = compact({ id, message, command: prompt.startsWith("/") || undefined, compacts });
  const { replaying: _, ...rest } = state;
  const prompted: Output = compact({ kind: "prompted", text: prompt, message, steer: state.turn ? true : undefined });
  return [{ ...rest, prompts: [...state.prompts, entry] }, [prompted]];
}

function handleCancel(dialect: Dialect, state: State, params: Fields): Step<State> {
  if (isForeign(state, text(params.sessionId))) return [state, []];
  return runSteps(
    state,
    (current) => releaseEnd(dialect, current),
    (current) => {
      const works = current.turn !== undefined || current.prompts.length > 0;
      return [works ? { ...current, turn: { ...current.turn, cancelled: true } } : current, []];
    },
  );
}

/** Our response was sent: the question is settled. */
function handleReply(dialect: Dialect, state: State, key: string, result: Fields | undefined): Step<State> {
  const terminal = ownValue(state.serving, key);
  if (terminal !== undefined)
    return showTerminal({ ...state, serving: withoutKey(state.serving, key) }, terminal, result ?? {});
  const ask = ownValue(state.asks, key);
  if (!ask) return [state, []];
  const answer = result ? readReply(dialect, ask, result) : ({ decision: "deny" } as const);
  const tool = ask.kind === "permission" ? ownValue(state.tools, ask.tool) : undefined;
  const fate = isDenial(answer) ? { denied: true } : ask.plan ? { leaves: true } : undefined;
  const tools = tool && ask.tool && fate ? put(state.tools, ask.tool, { ...tool, ...fate }) : state.tools;
  const reason = nonBlank(fields(result?._meta)[REASON_META]);
  const reasons = reason ? [...(state.reasons ?? []), reason] : state.reasons;
  const sentAnswer: InputAnswer = compact({ ...answer, message: reason });
  const next: State = compact({ ...state, tools, reasons, asks: withoutKey(state.asks, key) });
  return [next, [{ kind: "answered", key, answer: sentAnswer }]];
}

/** The output of a recorded client's terminal. */
function showTerminal(state: State, id: string, result: Fields): Step<State> {
  const whole = text(result.output);
  return handleTerminal(state, compact({ id, whole, exitCode: wholeNumber(fields(result.exitStatus).exitCode) }));
}
