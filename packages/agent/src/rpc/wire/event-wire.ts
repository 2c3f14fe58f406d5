import type { Model, ThinkingLevel } from "@gantry/models";
import type { AgentEvent, MessagePiece, TodoPhase, TodoTask } from "../../contract/events.ts";
import type { SessionState } from "../../contract/session.ts";
import type {
  AssistantMessageEvent,
  PartialAnswer,
  SessionEvent,
  WireModel,
  WireState,
  WireTodoPhase,
  WireTodoTask,
} from "../../contract/session-event.ts";
import type { TodoPhaseInput } from "./commands.ts";
import { PartialMessage } from "./partial-message.ts";

/** Strict clients require a message in every update. Its content comes in deltas, and complete in `message_end`. */
const EMPTY_MESSAGE: PartialAnswer = { role: "assistant", content: [] };

/** Updates repeat only short arguments; `tool_execution_start` has them complete. */
const ARGS_MOST = 1_000;

/**
 * Converts events to the protocol's, in order. Remembers whether the running compaction was requested: a requested one
 * is published as `compaction_*`, an automatic one as `auto_compaction_*`. `full`: each update carries the whole message
 * so far, which costs as many bytes as the square of its length.
 */
export function createEventWire(full = false): (event: AgentEvent) => SessionEvent {
  let isManual = false;
  const partial = full ? new PartialMessage() : undefined;
  const args = new Map<string, unknown>();
  return (event) => {
    switch (event.type) {
      case "tool_execution_start":
        if (JSON.stringify(event.args ?? null).length <= ARGS_MOST) args.set(event.toolCallId, event.args);
        return { ...event };
      case "tool_execution_end":
        args.delete(event.toolCallId);
        return { ...event };
      case "message_start":
        partial?.start(event.message);
        return { ...event };
      case "message_update": {
        const message = partial?.add(event.piece) ?? EMPTY_MESSAGE;
        return { type: event.type, message, assistantMessageEvent: pieceOnWire(event.piece, message) };
      }
      case "tool_execution_update":
        return {
          ...event,
          args: args.get(event.toolCallId) ?? {},
          partialResult: { content: [{ type: "text", text: event.delta }] },
        };
      case "auto_compaction_start":
        isManual = event.reason === "manual";
        return event.reason === "manual"
          ? { type: "compaction_start", reason: event.reason }
          : { ...event, reason: event.reason };
      case "auto_compaction_end": {
        if (!isManual) return { ...event };
        isManual = false;
        return { ...event, type: "compaction_end", reason: "manual" };
      }
      case "model_changed":
      case "thinking_level_changed":
        return { ...event, thinkingLevel: levelOnWire(event.thinkingLevel) };
      case "todos_changed":
        return { type: event.type, phases: todosOnWire(event.phases) };
      case "todo_reminder":
        return { ...event, todos: event.todos.map((todo) => todoOnWire(todo as TodoTask)) };
      default:
        return { ...event };
    }
  };
}

function pieceOnWire(piece: MessagePiece, partial: PartialAnswer): AssistantMessageEvent {
  const { index, ...rest } = piece;
  const place = { contentIndex: index, partial };
  switch (rest.type) {
    case "text_end":
      return { type: rest.type, content: rest.text, ...place };
    case "thinking_end":
      return { type: rest.type, content: rest.thinking, ...place };
    case "toolcall_start":
      return { type: rest.type, id: rest.id, toolName: rest.name, ...place };
    default:
      return { ...rest, ...place };
  }
}

/** `notes` is one text on the wire. */
function todoOnWire({ notes, ...rest }: TodoTask): WireTodoTask {
  return notes === undefined ? rest : { ...rest, notes: notes.join("\n") };
}

export function todosOnWire(phases: readonly TodoPhase[]): WireTodoPhase[] {
  return phases.map((phase) => ({ ...phase, tasks: phase.tasks.map(todoOnWire) }));
}

export function todosFromWire(phases: readonly TodoPhaseInput[]): TodoPhase[] {
  return phases.map(({ id, name, tasks }) => ({
    ...(id == null ? {} : { id }),
    name,
    tasks: tasks.map(({ id, content, status, notes, details }) => ({
      ...(id == null ? {} : { id }),
      content,
      status,
      ...(notes ? { notes: typeof notes === "string" ? [notes] : notes } : {}),
      ...(details == null ? {} : { details }),
    })),
  }));
}

/** A model without the fields that may contain keys: headers and request transforms. */
export function modelOnWire(model: Model): WireModel {
  const { headers: _headers, requestTransform: _transform, thinking, ...visible } = model;
  if (!thinking) return visible;
  const { minLevel, maxLevel, defaultLevel, levels } = thinking;
  const clamped = {
    ...thinking,
    minLevel: levelOnWire(minLevel),
    maxLevel: levelOnWire(maxLevel),
    ...(defaultLevel ? { defaultLevel: levelOnWire(defaultLevel) } : {}),
    ...(levels ? { levels: [...new Set(levels.map(levelOnWire))] } : {}),
  };
  return { ...visible, thinking: clamped };
}

/**
 * The protocol's levels end at `xhigh`; published clients refuse a model or a state with a higher one.
 * `get_available_thinking_levels` is not of that protocol and lists all levels.
 */
export function levelOnWire<Level extends ThinkingLevel>(level: Level): Level | "xhigh" {
  return level === "max" ? "xhigh" : level;
}

export function stateOnWire(state: SessionState): WireState {
  const { model, todoPhases, heldMessageCount: _, ...rest } = state;
  return {
    ...(model ? { model: modelOnWire(model) } : {}),
    ...rest,
    thinkingLevel: levelOnWire(state.thinkingLevel),
    todoPhases: todosOnWire(todoPhases),
    // The field name that pi's clients read.
    pendingMessageCount: state.queuedMessageCount,
  };
}
