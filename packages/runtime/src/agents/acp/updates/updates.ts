import type { Step } from "../../contract.ts";
import { type Fields, fields, nonBlank, number, own, text } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { notice, raw } from "../outputs.ts";
import { runSteps, type State } from "../state.ts";
import { begin, begun } from "../turns/begin.ts";
import { compactionSettled, trailOver, turnEnded } from "../turns/finish.ts";
import { commandsChanged, infoUpdated, planUpdated, usageUpdated } from "./facts.ts";
import { modeChanged, optionsChanged } from "./options.ts";
import { terminalTold, terminalUpdate } from "./terminals.ts";
import { chunk, wholeMessage } from "./texts.ts";
import { contentAdded, toolTold } from "./tools.ts";

type Handler = (dialect: Dialect, state: State, update: Fields) => Step<State>;

/** Every kind of `session/update` of both versions, and what it means. */
const updates: Record<string, Handler> = {
  agent_message_chunk: (dialect, state, update) =>
    runSteps(
      state,
      (current) => chunk(dialect, current, update, "text"),
      (current) => compactionSettled(dialect, current),
    ),
  agent_thought_chunk: (dialect, state, update) => chunk(dialect, state, update, "reasoning"),
  agent_message: (_, state, update) => wholeMessage(state, update, "text"),
  agent_thought: (_, state, update) => wholeMessage(state, update, "reasoning"),
  user_message_chunk: echo,
  user_message: echo,
  tool_call: toolTold,
  tool_call_update: toolTold,
  tool_call_content_chunk: (_, state, update) => contentAdded(state, update),
  terminal_update: terminalNews,
  terminal_output_chunk: terminalNews,
  plan: (_, state, update) => planUpdated(state, update),
  plan_update: (_, state, update) => planUpdated(state, update),
  plan_removed: (_, state) => planUpdated(state, { entries: [] }),
  available_commands_update: commandsChanged,
  current_mode_update: (dialect, state, update) => modeChanged(dialect, state, nonBlank(update.currentModeId) ?? ""),
  config_option_update: optionsChanged,
  session_info_update: infoUpdated,
  usage_update: (_, state, update) => usageUpdated(state, update),
  state_update: stateUpdated,
};

/** `session/update`. Another conversation in the same process is not ours to tell; that there is one is said once. */
export function updated(dialect: Dialect, state: State, params: Fields, frame: unknown): Step<State> {
  const session = text(params.sessionId);
  if (isForeign(state, session)) return foreign(state, session ?? "");
  const update = fields(params.update);
  const handler = own(updates, text(update.sessionUpdate));
  if (!handler) return [state, [raw(frame, "unknown kind of update")]];
  const known = session && !state.session ? { ...state, session } : state;
  return handler(dialect, known, update);
}

/** A conversation that is being opened may speak before its name is known. */
export function isForeign(state: State, session: string | undefined): boolean {
  return session !== undefined && state.session !== undefined && session !== state.session;
}

const MOST_FOREIGN = 20;

function foreign(state: State, session: string): Step<State> {
  if (state.foreign.includes(session) || state.foreign.length >= MOST_FOREIGN) return [state, []];
  const told = `The agent's process also holds the conversation ${session}; what is said in it is left out here.`;
  return [{ ...state, foreign: [...state.foreign, session] }, [notice("foreign_session", "info", told)]];
}

/** Our own message, told back to us. */
function echo(_: Dialect, state: State): Step<State> {
  return state.replaying || state.version === 2 ? [state, []] : begun(state);
}

function terminalNews(_: Dialect, state: State, update: Fields): Step<State> {
  const news = terminalUpdate(update);
  return news && !state.replaying ? terminalTold(state, news) : [state, []];
}

/** Version 2: the agent works, waits for us, or has ended the turn. */
function stateUpdated(dialect: Dialect, state: State, update: Fields): Step<State> {
  switch (update.state) {
    case "running":
      return runSteps(
        state,
        (current) => trailOver(dialect, current),
        (current) => (current.turn ? [current, []] : begin(current, current.prompts[0])),
      );
    case "requires_action":
      return [state, [{ kind: "activity", state: "waiting_for_input" }]];
    case "idle":
      return idle(dialect, state, update);
    default:
      return [state, [{ kind: "activity", state: nonBlank(update.state) ?? "unknown" }]];
  }
}

/** Idle without a turn is how a conversation is when it has been opened. */
function idle(dialect: Dialect, state: State, update: Fields): Step<State> {
  if (!state.turn) return [state, []];
  const told = fields(update.error);
  if (update.stopReason !== "error" && nonBlank(told.message) === undefined)
    return turnEnded(dialect, state, { result: update });
  const message = nonBlank(told.message) ?? "The agent gave no reason.";
  const error = { code: number(told.code) ?? 0, message, ...(told.data === undefined ? {} : { data: told.data }) };
  return turnEnded(dialect, state, { result: update, error });
}

/** Kinds that an update may have, for those who ask whether a recording is ours. */
export function isUpdateKind(kind: unknown): boolean {
  return typeof kind === "string" && Object.hasOwn(updates, kind);
}
