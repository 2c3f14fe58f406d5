import type { TaskEnd } from "@gantry/protocol";
import { rpcRequest } from "../../../../framing/json-rpc.ts";
import { itemId, type Outbound, type Step } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  list,
  nonBlank,
  ownValue,
  taskId,
  text,
  texts,
  withoutKey,
} from "../../../fields.ts";
import { runSteps } from "../../../steps.ts";
import { event, raw } from "../../outputs.ts";
import { readUsage } from "../../wire/usage.ts";
import { CHANNEL, MAX_SUBAGENTS, type State } from "../state.ts";
import { leaveTerminalsRunning, stopTerminalsOf } from "../terminals.ts";

type About = { parent?: string; type?: string; title?: string; model?: string };
type Ending = "ok" | "error" | "interrupted";

const LINE = 200;

/** Final states of a subagent; others mean that it continues. */
const endings: Record<string, Ending> = {
  completed: "ok",
  shutdown: "ok",
  errored: "error",
  failed: "error",
  notFound: "error",
  interrupted: "interrupted",
};

export function subagentStarted(state: State, thread: string, about: About): Step<State> {
  if (!thread || thread === state.thread || ownValue(state.subagents, thread)?.running) return [state, []];
  const others = withRoomFor(state.subagents, thread);
  if (!others) return [state, [raw(CHANNEL, { thread, ...about }, "too many subagents")]];
  const title = about.title ?? ownValue(state.subagents, thread)?.title ?? "Subagent";
  const entry = compact({ running: true, title: firstLine(title, LINE), parent: about.parent });
  const next = { ...state, subagents: { ...others, [thread]: entry } };
  // A subagent that continues between turns is a task from its start.
  if (!state.turn) return becomeTask(next, thread);
  return [next, [event("subagent.started", compact({ id: thread, ...about, title }))]];
}

/** Forgets the oldest subagent that has ended if there are too many. `undefined`: all of them run. */
function withRoomFor(subagents: State["subagents"], thread: string): State["subagents"] | undefined {
  const all = Object.entries(subagents);
  if (all.length < MAX_SUBAGENTS || Object.hasOwn(subagents, thread)) return subagents;
  const ended = all.find(([, { running }]) => !running)?.[0];
  return ended === undefined ? undefined : withoutKey(subagents, ended);
}

/** Codex does not wait for its subagents: those that still run when their turn ends are tasks. */
export function leaveSubagentsRunning(state: State): Step<State> {
  const running = Object.entries(state.subagents).filter(([, { running, task }]) => running && !task);
  return runSteps(
    state,
    ...running.map(
      ([thread]) =>
        (current: State) =>
          becomeTask(current, thread),
    ),
  );
}

function becomeTask(state: State, thread: string): Step<State> {
  const known = ownValue(state.subagents, thread);
  if (!known || known.task) return [state, []];
  const { title = "Subagent", parent } = known;
  // The parent is a tool call, or the thread of another subagent.
  const origin = parent?.startsWith("itm_") ? { item: parent } : { parent: parent && taskId(parent) };
  const started = event("task.started", compact({ task: taskId(thread), kind: "subagent", title, ...origin }));
  return [{ ...state, subagents: { ...state.subagents, [thread]: { ...known, task: true } } }, [started]];
}

/** The frame that stops a subagent; `undefined` if it does not run. */
export function stopSubagent(state: State, thread: string, id = state.nextId): Outbound | undefined {
  const known = ownValue(state.subagents, thread);
  if (!known?.running) return undefined;
  return { msg: rpcRequest(id, "turn/interrupt", { threadId: thread, turnId: known.turn ?? "" }), repeat: "safe" };
}

/** Our request to stop a subagent was sent. */
export function noteSubagentStop(state: State, { threadId }: Fields): State {
  const thread = text(threadId) ?? "";
  const known = ownValue(state.subagents, thread);
  if (!known?.task) return state;
  return { ...state, subagents: { ...state.subagents, [thread]: { ...known, stopping: true } } };
}

export function subagentEnded(state: State, thread: string, status: Ending, summary?: string): Step<State> {
  const known = ownValue(state.subagents, thread);
  if (!known?.running) return [state, []];
  const { task, stopping, ...rest } = known;
  const subagents = { ...state.subagents, [thread]: { ...rest, running: false } };
  const ended = event("subagent.ended", compact({ id: thread, status, summary, usage: known.usage }));
  if (!task) return [{ ...state, subagents }, [ended]];
  const end: TaskEnd = stopping || status === "interrupted" ? "stopped" : status;
  const line = summary === undefined ? undefined : firstLine(summary, LINE);
  return [
    { ...state, subagents },
    [ended, event("task.ended", compact({ task: taskId(thread), status: end, summary: line }))],
  ];
}

/** Handles a call that starts, prompts or stops subagents; it lists their threads and states. */
export function collabCall(state: State, item: Fields): Step<State> {
  const threads = texts(item.receiverThreadIds);
  const states = fields(item.agentsStates);
  const about: About = compact({
    parent: itemId(text(item.id) ?? ""),
    title: nonBlank(item.prompt) ? firstLine(text(item.prompt) ?? "") : undefined,
    model: nonBlank(item.model),
  });
  const spawns = item.tool === "spawnAgent" ? threads : [];
  return runSteps(
    state,
    ...spawns.map((thread) => (current: State) => subagentStarted(current, thread, about)),
    ...Object.entries(states).map(([thread, value]) => (current: State) => {
      const status = ownValue(endings, text(fields(value).status));
      return status
        ? subagentEnded(current, thread, status, nonBlank(fields(value).message))
        : ([current, []] as Step<State>);
    }),
  );
}

/** Handles `subAgentActivity`, a status line of a subagent. */
export function subagentActivity(state: State, item: Fields): Step<State> {
  const thread = text(item.agentThreadId) ?? "";
  const kind = text(item.kind) ?? "";
  const about: About = compact({ title: nonBlank(item.agentPath), model: nonBlank(item.model) });
  if (kind === "started") return subagentStarted(state, thread, about);
  const status = ownValue(endings, kind);
  if (status) return subagentEnded(state, thread, status);
  return [state, [event("subagent.updated", { id: thread, progress: kind })]];
}

/** Handles a thread whose parent is ours. */
export function childThread(state: State, thread: Fields): Step<State> | undefined {
  const id = text(thread.id);
  const parent = text(thread.parentThreadId);
  if (!id || !parent || (parent !== state.thread && !ownValue(state.subagents, parent))) return undefined;
  const about: About = compact({
    parent: parent === state.thread ? undefined : parent,
    type: nonBlank(thread.agentRole),
    title: nonBlank(thread.agentNickname) ?? nonBlank(thread.preview),
    model: nonBlank(thread.model),
  });
  return subagentStarted(state, id, about);
}

/** Handles turns and usage of a subagent's thread; `undefined` for other notifications. */
export function subagentNotification(
  state: State,
  thread: string,
  method: string,
  params: Fields,
): Step<State> | undefined {
  switch (method) {
    case "turn/started": {
      const turn = nonBlank(fields(params.turn).id);
      return runSteps(
        state,
        (current) => subagentStarted(current, thread, {}),
        (current) => {
          const known = ownValue(current.subagents, thread);
          if (!known || turn === undefined) return [current, []];
          return [{ ...current, subagents: { ...current.subagents, [thread]: { ...known, turn } } }, []];
        },
      );
    }
    case "turn/completed": {
      const turn = fields(params.turn);
      const status = ownValue(endings, text(turn.status)) ?? "error";
      const summary = nonBlank(fields(turn.error).message) ?? lastMessage(turn);
      const stops = status === "interrupted" ? stopTerminalsOf(state, thread) : [];
      return runSteps(
        state,
        (current) => leaveTerminalsRunning(current, thread),
        (current) => subagentEnded(current, thread, status, summary),
        (current) => [current, stops],
      );
    }
    case "thread/tokenUsage/updated": {
      const usage = readUsage(fields(fields(params.tokenUsage).total));
      const known = ownValue(state.subagents, thread) ?? { running: true };
      return [{ ...state, subagents: { ...state.subagents, [thread]: { ...known, usage } } }, []];
    }
    case "turn/plan/updated":
    case "turn/diff/updated":
    case "thread/settings/updated":
    case "thread/status/changed":
    case "thread/started":
      return [state, []];
    default:
      return undefined;
  }
}

/** The subagent's last message; the end of its turn repeats it. */
function lastMessage(turn: Fields): string | undefined {
  const messages = list(turn.items)
    .map(fields)
    .filter((item) => item.type === "agentMessage");
  return nonBlank(messages.at(-1)?.text);
}
