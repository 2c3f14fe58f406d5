import type { Step } from "../../contract.ts";
import { type Fields, fields, isFields, nonBlank, number, ownValue, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { notice, raw } from "../outputs.ts";
import { isUsableId, type State } from "../state.ts";
import { beginTurn, ensureTurn } from "../turns/begin.ts";
import { endTurn, finishAfterCompaction, releaseEnd } from "../turns/finish.ts";
import { handleMode, handleOptions } from "./options.ts";
import { handleCommands, handlePlan, handleSessionInfo, handleUsage } from "./session-info.ts";
import { handleTerminal, readTerminal } from "./terminals.ts";
import { handleChunk, handleWholeMessage } from "./texts.ts";
import { handleContent, handleTool } from "./tools.ts";

/** `undefined`: the update lacks what its kind requires, or has the wrong shape. */
type Handler = (dialect: Dialect, state: State, update: Fields) => Step<State> | undefined;

/** Handlers for every kind of `session/update`, both versions. */
const updates: Record<string, Handler> = {
  agent_message_chunk: (dialect, state, update) =>
    isChunk(update)
      ? runSteps(
          state,
          (current) => handleChunk(dialect, current, update, "text"),
          (current) => finishAfterCompaction(dialect, current),
        )
      : undefined,
  agent_thought_chunk: (dialect, state, update) =>
    isChunk(update) ? handleChunk(dialect, state, update, "reasoning") : undefined,
  agent_message: (_, state, update) => handleWholeMessage(state, update, "text"),
  agent_thought: (_, state, update) => handleWholeMessage(state, update, "reasoning"),
  user_message_chunk: echo,
  user_message: echo,
  tool_call: handleTool,
  tool_call_update: handleTool,
  tool_call_content_chunk: (_, state, update) => handleContent(state, update),
  terminal_update: handleTerminalUpdate,
  terminal_output_chunk: handleTerminalUpdate,
  plan: (_, state, update) => handlePlan(state, update),
  plan_update: (_, state, update) => handlePlan(state, update),
  plan_removed: (_, state) => handlePlan(state, { entries: [] }),
  available_commands_update: handleCommands,
  current_mode_update: (dialect, state, update) => handleMode(dialect, state, nonBlank(update.currentModeId) ?? ""),
  config_option_update: handleOptions,
  session_info_update: handleSessionInfo,
  usage_update: (_, state, update) => handleUsage(state, update),
  state_update: handleState,
};

/** Handles `session/update`. Updates of other conversations in the same process are dropped, with one notice each. */
export function handleUpdate(dialect: Dialect, state: State, params: Fields, frame: unknown): Step<State> {
  const session = text(params.sessionId);
  if (isForeign(state, session)) return noteForeign(state, session ?? "");
  const update = fields(params.update);
  const handler = ownValue(updates, text(update.sessionUpdate));
  if (!handler) return [state, [raw(frame, "unknown kind of update")]];
  const known = isUsableId(session) && !state.session ? { ...state, session } : state;
  return handler(dialect, known, update) ?? [state, [raw(frame, "update of the wrong shape")]];
}

/** Whether the content of a chunk is a block. Some agents report usage on a chunk without one. */
function isChunk({ content, _meta }: Fields): boolean {
  if (!isFields(content)) return content === undefined && fields(_meta).usage !== undefined;
  return content.type !== "text" || typeof content.text === "string";
}

/** While a conversation is opened its id may be unknown, so updates without a known session are accepted. */
export function isForeign(state: State, session: string | undefined): boolean {
  return session !== undefined && state.session !== undefined && session !== state.session;
}

const MAX_FOREIGN = 20;

function noteForeign(state: State, session: string): Step<State> {
  if (state.foreign.includes(session) || state.foreign.length >= MAX_FOREIGN) return [state, []];
  const notified = `The agent's process also hosts the conversation ${session}. Its updates are not shown here.`;
  return [{ ...state, foreign: [...state.foreign, session] }, [notice("foreign_session", "info", notified)]];
}

/** The agent echoes our message. */
function echo(_: Dialect, state: State): Step<State> {
  return state.replaying || state.version === 2 ? [state, []] : ensureTurn(state);
}

function handleTerminalUpdate(_: Dialect, state: State, update: Fields): Step<State> {
  const news = readTerminal(update);
  return news && !state.replaying ? handleTerminal(state, news) : [state, []];
}

/**
 * Version 2: the agent is running, waits for the client, or has ended the turn. Version 1 has no such update. The version
 * is unknown in a one-sided recording that starts after the handshake.
 */
function handleState(dialect: Dialect, state: State, update: Fields): Step<State> | undefined {
  if (state.version !== 2 && (state.both || state.phase !== "greeting")) return undefined;
  switch (update.state) {
    case "running":
      return runSteps(
        state,
        (current) => releaseEnd(dialect, current),
        (current) => (current.turn ? [current, []] : beginTurn(current, current.prompts[0])),
      );
    case "requires_action":
      return [state, [{ kind: "activity", state: "waiting_for_input" }]];
    case "idle":
      return handleIdle(dialect, state, update);
    default:
      return [state, [{ kind: "activity", state: nonBlank(update.state) ?? "unknown" }]];
  }
}

/** Idle without a turn is the state after opening. */
function handleIdle(dialect: Dialect, state: State, update: Fields): Step<State> {
  if (!state.turn) return [state, []];
  const details = fields(update.error);
  if (update.stopReason !== "error" && nonBlank(details.message) === undefined)
    return endTurn(dialect, state, { result: update });
  const message = nonBlank(details.message) ?? "The agent gave no reason.";
  const error = {
    code: number(details.code) ?? 0,
    message,
    ...(details.data === undefined ? {} : { data: details.data }),
  };
  return endTurn(dialect, state, { result: update, error });
}

/** Whether `kind` is a known update kind; used to recognise recordings. */
export function isUpdateKind(kind: unknown): boolean {
  return typeof kind === "string" && Object.hasOwn(updates, kind);
}
