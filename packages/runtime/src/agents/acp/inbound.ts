import type { InputAnswer } from "@gantry/protocol";
import { type RpcId, readRpc } from "../../framing/json-rpc.ts";
import type { Output, Step } from "../contract.ts";
import { compact, type Fields, fields, list, nonBlank, own, put, text, wholeNumber, without } from "../fields.ts";
import type { Dialect } from "./dialect.ts";
import { isPing } from "./opening/ping.ts";
import { ready } from "./opening/ready.ts";
import { changeOf } from "./opening/settings.ts";
import { denies, readReply } from "./requests/replies.ts";
import { type Pending, type Prompt, requestKey, runSteps, type State } from "./state.ts";
import { COUNT } from "./turns/counting.ts";
import { trailOver } from "./turns/finish.ts";
import { MESSAGE } from "./turns/prompt.ts";
import { REASON } from "./turns/reasons.ts";
import { terminalTold } from "./updates/terminals.ts";
import { isForeign } from "./updates/updates.ts";
import { blockText } from "./wire/content.ts";

/** A frame that was written to the agent: a request to remember, or an answer to one of its questions. */
export function inbound(dialect: Dialect, state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  const heard: State = state.both ? state : { ...state, both: true };
  switch (message?.kind) {
    case "request":
      return requested(dialect, heard, message.id, message.method, fields(message.params));
    case "notification":
      return message.method === "session/cancel" ? cancelled(dialect, heard, fields(message.params)) : [heard, []];
    case "result":
      return replied(dialect, heard, requestKey(message.id), fields(message.result));
    case "error":
      return message.id === null ? [heard, []] : replied(dialect, heard, requestKey(message.id), undefined);
    default:
      return [heard, []];
  }
}

function requested(dialect: Dialect, state: State, id: RpcId, method: string, params: Fields): Step<State> {
  const nextId = typeof id === "number" && Number.isSafeInteger(id) ? Math.max(state.nextId, id + 1) : state.nextId;
  const foreign = isForeign(state, text(params.sessionId)) && method === "session/prompt";
  const opensMore = /^session\/(new|fork)$/.test(method) && state.phase === "open";
  const change = changeOf(dialect, state, method, params);
  const counts = fields(params._meta)[COUNT] === true || undefined;
  const pending: Pending = compact({ method, change, foreign: foreign || opensMore || undefined, counts });
  const known = isPing(id) ? state.pending : put(state.pending, requestKey(id), pending);
  const next: State = { ...state, nextId, pending: known };
  switch (method) {
    case "initialize":
      return [{ ...next, serves: served(fields(params.clientCapabilities)) }, []];
    case "session/load":
    case "session/resume":
      return [reopening(next, method, params), []];
    case "session/prompt":
      if (foreign) return [next, []];
      return runSteps(
        next,
        (current) => trailOver(dialect, current),
        // A client that prompts holds the conversation for open, whatever it has set before.
        (current) => (counts ? [current, []] : ready(dialect, current)),
        (current) => (counts ? [current, []] : prompted(dialect, current, requestKey(id), params)),
      );
    default:
      return [next, []];
  }
}

function served(capabilities: Fields): State["serves"] {
  const { readTextFile, writeTextFile } = fields(capabilities.fs);
  const files = readTextFile === true || writeTextFile === true;
  return compact({ fs: files || undefined, terminal: capabilities.terminal === true || undefined });
}

/** The history that `session/load` tells once more begins before it is answered. */
function reopening(state: State, method: string, params: Fields): State {
  if (state.phase === "open") return state;
  const session = text(params.sessionId) ?? state.session;
  return compact({ ...state, session, replaying: method === "session/load" || undefined });
}

function prompted(dialect: Dialect, state: State, id: string, params: Fields): Step<State> {
  const said = list(params.prompt).map(blockText).join("\n");
  const message = nonBlank(fields(params._meta)[MESSAGE]);
  const compacts = said.split(/\s/, 1)[0] === `/${dialect.compact}` || undefined;
  const prompt: Prompt = compact({ id, message, command: said.startsWith("/") || undefined, compacts });
  const { replaying: _, ...rest } = state;
  const told: Output = compact({ kind: "prompted", text: said, message, steer: state.turn ? true : undefined });
  return [{ ...rest, prompts: [...state.prompts, prompt] }, [told]];
}

function cancelled(dialect: Dialect, state: State, params: Fields): Step<State> {
  if (isForeign(state, text(params.sessionId))) return [state, []];
  return runSteps(
    state,
    (current) => trailOver(dialect, current),
    (current) => {
      const works = current.turn !== undefined || current.prompts.length > 0;
      return [works ? { ...current, turn: { ...current.turn, cancelled: true } } : current, []];
    },
  );
}

/** Our answer went out: the question is no longer open. */
function replied(dialect: Dialect, state: State, key: string, result: Fields | undefined): Step<State> {
  const terminal = own(state.serving, key);
  if (terminal !== undefined) return shown({ ...state, serving: without(state.serving, key) }, terminal, result ?? {});
  const ask = own(state.asks, key);
  if (!ask) return [state, []];
  const answer = result ? readReply(dialect, ask, result) : ({ decision: "deny" } as const);
  const tool = ask.kind === "permission" ? own(state.tools, ask.tool) : undefined;
  const fate = denies(answer) ? { denied: true } : ask.plan ? { leaves: true } : undefined;
  const tools = tool && ask.tool && fate ? put(state.tools, ask.tool, { ...tool, ...fate }) : state.tools;
  const reason = nonBlank(fields(result?._meta)[REASON]);
  const reasons = reason ? [...(state.reasons ?? []), reason] : state.reasons;
  const told: InputAnswer = compact({ ...answer, message: reason });
  const next: State = compact({ ...state, tools, reasons, asks: without(state.asks, key) });
  return [next, [{ kind: "answered", key, answer: told }]];
}

/** What the recorded client's terminal showed. */
function shown(state: State, id: string, result: Fields): Step<State> {
  const whole = text(result.output);
  return terminalTold(state, compact({ id, whole, exitCode: wholeNumber(fields(result.exitStatus).exitCode) }));
}
