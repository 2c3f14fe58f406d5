import type { Step } from "../../../contract.ts";
import { itemId } from "../../../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank, ownValue, text, texts } from "../../../fields.ts";
import { runSteps } from "../../../steps.ts";
import { event } from "../../outputs.ts";
import { readUsage } from "../../wire/usage.ts";
import type { State } from "../state.ts";

type About = { parent?: string; type?: string; title?: string; model?: string };
type Ending = "ok" | "error" | "interrupted";

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
  const subagents = { ...state.subagents, [thread]: { running: true } };
  const title = about.title ?? "Subagent";
  return [{ ...state, subagents }, [event("subagent.started", compact({ id: thread, ...about, title }))]];
}

export function subagentEnded(state: State, thread: string, status: Ending, summary?: string): Step<State> {
  const known = ownValue(state.subagents, thread);
  if (!known?.running) return [state, []];
  const subagents = { ...state.subagents, [thread]: { ...known, running: false } };
  const ended = event("subagent.ended", compact({ id: thread, status, summary, usage: known.usage }));
  return [{ ...state, subagents }, [ended]];
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
    case "turn/started":
      return subagentStarted(state, thread, {});
    case "turn/completed": {
      const turn = fields(params.turn);
      const status = ownValue(endings, text(turn.status)) ?? "error";
      return subagentEnded(state, thread, status, nonBlank(fields(turn.error).message) ?? lastMessage(turn));
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
