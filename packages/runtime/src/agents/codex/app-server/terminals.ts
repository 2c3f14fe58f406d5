import type { TaskEnd } from "@gantry/protocol";
import { type RpcError, rpcRequest } from "../../../framing/json-rpc.ts";
import { itemId, type Outbound, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, firstLine, number, ownValue, taskId, text, withoutKey } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import { event, notice } from "../outputs.ts";
import type { BackgroundJob, State } from "./state.ts";

export const TERMINATE = "thread/backgroundTerminals/terminate";
/** Version 0.130 and older cannot terminate one terminal, only all of a thread. */
export const CLEAN = "thread/backgroundTerminals/clean";

const TITLE = 200;

/**
 * Commands that still run when their turn has completed are tasks: Codex calls them background terminals. `subagent`: the
 * thread whose turn has completed, if it is not ours.
 */
export function leaveTerminalsRunning(state: State, subagent = ""): Step<State> {
  const left = terminalsOf(state, subagent);
  const thread = subagent ? { thread: subagent } : {};
  const added = left.map(([item, terminal]) => [item, { terminal, ...thread }]);
  const background = { ...state.background, ...Object.fromEntries(added) };
  const started = left.map(([item]) => {
    const command = ownValue(state.commands ?? {}, item);
    const title = firstLine(command ?? "Command", TITLE);
    return event("task.started", compact({ task: taskId(item), kind: "command", title, command, item: itemId(item) }));
  });
  return [left.length > 0 ? { ...state, background } : state, started];
}

/** The commands of a thread that run and are not tasks yet, with their terminals. */
function terminalsOf({ terminals, tools, background = {} }: State, subagent: string): [string, string][] {
  return Object.entries(terminals).filter(
    ([item]) => ownValue(tools, item) === subagent && ownValue(background, item) === undefined,
  );
}

/** The frames that stop the commands of a subagent whose turn was interrupted. They are tasks until they have ended. */
export function stopTerminalsOf(state: State, subagent: string): Output[] {
  return terminalsOf(state, subagent).map(([, processId], index) => {
    const msg = rpcRequest(state.nextId + index, TERMINATE, { threadId: subagent, processId });
    return { kind: "send", frame: { msg, repeat: "safe" } };
  });
}

/** The end of a background command. `undefined` if the item is none. `end` decodes the end of its tool call. */
export function backgroundEnded(
  state: State,
  item: Fields,
  end: (state: State) => Step<State>,
): Step<State> | undefined {
  const native = text(item.id) ?? "";
  const job = ownValue(state.background ?? {}, native);
  if (!job) return undefined;
  const code = number(item.exitCode);
  const status: TaskEnd = job.stopping ? "stopped" : code === 0 ? "ok" : "error";
  return runSteps(state, end, (current) => {
    const next = { ...current, background: withoutKey(current.background ?? {}, native) };
    return [next, [event("task.ended", compact({ task: taskId(native), status, exitCode: code }))]];
  });
}

/** The frame that stops a background command; `undefined` if it does not run. */
export function stopTerminal(state: State, task: string): Outbound[] | undefined {
  const found = Object.entries(state.background ?? {}).find(([item]) => taskId(item) === task);
  if (!found || !state.thread) return undefined;
  const [, { terminal, thread = state.thread }] = found;
  return [{ msg: rpcRequest(state.nextId, TERMINATE, { threadId: thread, processId: terminal }), repeat: "safe" }];
}

/** Our request to terminate was sent: the command that ends next was stopped. */
export function noteTermination(state: State, params: Fields): State {
  const isMeant = ({ terminal, thread = state.thread }: BackgroundJob) =>
    terminal === params.processId && thread === params.threadId;
  const found = Object.entries(state.background ?? {}).find(([, job]) => isMeant(job));
  if (!found) return state;
  return { ...state, background: { ...state.background, [found[0]]: { ...found[1], stopping: true } } };
}

/**
 * The agent refused to terminate a terminal. An older version ends all terminals of the threads in which one is to stop.
 * Otherwise there was nothing left to stop, which is the intended result.
 */
export function terminationRefused(state: State, error: RpcError): Step<State> {
  if (!/unknown (variant|method)|method not found/i.test(error.message) || !state.thread) return [state, []];
  const running = Object.entries(state.background ?? {});
  const threadOf = ({ thread = state.thread }: BackgroundJob) => thread;
  const stopping = running.flatMap(([, job]) => (job.stopping ? [threadOf(job)] : []));
  const threads = new Set(stopping.length > 0 ? stopping : [state.thread]);
  const isStopped = (job: BackgroundJob) => threads.has(threadOf(job));
  const background = Object.fromEntries(
    running.map(([item, job]) => [item, isStopped(job) ? { ...job, stopping: true } : job]),
  );
  const outputs = [...threads].map((threadId, index): Output => {
    const msg = rpcRequest(state.nextId + index, CLEAN, { threadId });
    return { kind: "send", frame: { msg, repeat: "safe" } };
  });
  const others = running.filter(([, job]) => isStopped(job) && !job.stopping).length;
  const text = "This version of Codex cannot stop a single command; all commands in the background were stopped.";
  if (others > 0) outputs.push(notice("task", "warning", text));
  return [{ ...state, background }, outputs];
}
