import {
  type Delta,
  type Envelope,
  type EventType,
  type Failure,
  limitTitle,
  type OpenItem,
  type TurnOutcome,
} from "@gantry/protocol";
import { TextStreams } from "./text-stream.ts";
import { ToolCalls } from "./tool-calls.ts";
import type { Output, TurnEnd, Update } from "./update.ts";
import { UserMessages } from "./user-messages.ts";

export type TranslatorOptions = {
  /** The session's folder: relative paths are below it. */
  cwd: string;
  /** The cost of the turns before the first event that is translated, in US dollars. */
  usd?: number;
};

type Handlers = { [K in EventType]?: (event: Envelope<K>) => Output[] };

/**
 * Translates the events of one session, in order, into updates for an ACP client. It does no I/O: the same events give the same
 * updates, so that a session that is loaded shows what a client saw live.
 */
export class Translator {
  readonly #texts = new TextStreams();
  readonly #tools: ToolCalls;
  readonly #messages = new UserMessages();
  /** Inputs without a tool call, which are shown as a tool call. */
  readonly #asked = new Set<string>();
  /** Open tasks and subagents that are shown as a tool call, with the id of that call. */
  readonly #work = new Map<string, string>();
  readonly #handlers: Handlers;
  #usd: number;
  #pending = 0;

  constructor({ cwd, usd = 0 }: TranslatorOptions) {
    this.#tools = new ToolCalls(cwd);
    this.#usd = usd;
    this.#handlers = this.#makeHandlers();
  }

  /** A durable event. Events that a client does not show give no output. */
  take(event: Envelope): Output[] {
    const handler = this.#handlers[event.type] as ((event: Envelope) => Output[]) | undefined;
    return handler?.(event) ?? [];
  }

  /** A chunk of an open item. */
  takeDelta({ item, channel, offset, text }: Delta): Output[] {
    if (channel === "text") return toOutputs(this.#texts.add("text", item, offset, text));
    if (channel === "reasoning") return toOutputs(this.#texts.add("thought", item, offset, text));
    return channel === "output" ? toOutputs(this.#tools.addOutput(item, offset, text)) : [];
  }

  /** The text so far of the items that are open at the end of the replay. */
  takeSnapshot(open: readonly OpenItem[]): Output[] {
    return open.flatMap(({ item, channel, text, length }) => {
      const offset = length - text.length;
      return this.takeDelta({ type: "delta", session: "", item, channel, offset, text });
    });
  }

  #makeHandlers(): Handlers {
    return { ...this.#turnHandlers(), ...this.#workHandlers(), ...this.#conditionHandlers() };
  }

  #turnHandlers(): Handlers {
    return {
      "message.user": ({ data }) => this.#messages.add(data),
      "message.delivery": ({ data }) => this.#messages.change(data),
      "turn.started": ({ data, turn = "" }) => [
        ...toOutputs(data.messages.flatMap((id) => this.#messages.show(id))),
        { update: { kind: "state", state: "running" } },
        { started: turn, messages: data.messages },
      ],
      "turn.ended": (event) => this.#endTurn(event),
      "session.created": ({ data: { title }, at }) => toOutputs([{ kind: "info", title, at }]),
      "session.updated": ({ data: { patch }, at }) => [
        ...(patch.title === undefined ? [] : toOutputs([{ kind: "info", title: patch.title, at }])),
        ...(CONFIG_FIELDS.some((field) => field in patch) ? [{ config: true } as const] : []),
      ],
      "model.changed": () => [{ config: true }],
      "mode.changed": () => [{ config: true }],
      "commands.changed": ({ data }) => toOutputs([{ kind: "commands", list: data.list }]),
    };
  }

  #workHandlers(): Handlers {
    return {
      "message.done": ({ data }) => this.#endText("text", data),
      "reasoning.done": ({ data }) => (data.redacted ? [] : this.#endText("thought", data)),
      "message.retracted": ({ data: { items, reason } }) =>
        toOutputs(items.flatMap((id) => this.#texts.drop(id, reason))),
      "tool.started": ({ data }) => toOutputs(this.#tools.start(data)),
      "tool.updated": ({ data }) => toOutputs(this.#tools.update(data.item, data.patch)),
      "tool.ended": ({ data }) => toOutputs(this.#tools.end(data)),
      "plan.updated": ({ data }) =>
        toOutputs([
          {
            kind: "plan",
            entries: data.entries.map(({ text, status, priority = "medium" }) => ({ text, status, priority })),
          },
        ]),
      "subagent.started": ({ data: { id, parent, title, type }, seq }) =>
        parent ? [] : this.#openWork(`subagent ${id}`, seq, { title, kind: "think", name: type }),
      "subagent.ended": ({ data: { id, status, summary } }) => this.#closeWork(`subagent ${id}`, status, summary),
      "task.started": ({ data: { task, item, title, command }, seq }) =>
        item ? [] : this.#openWork(`task ${task}`, seq, { title, kind: command ? "execute" : "other" }),
      "task.ended": ({ data: { task, status, summary, reason } }) =>
        this.#closeWork(`task ${task}`, status, summary ?? reason),
    };
  }

  #conditionHandlers(): Handlers {
    return {
      "input.requested": ({ data }) => this.#ask(data),
      "input.resolved": ({ data }) => this.#settle(data.id, data.decision),
      "context.usage": ({ data: { used, size } }) =>
        size === undefined
          ? []
          : toOutputs([{ kind: "usage", used, size, ...(this.#usd > 0 ? { usd: this.#usd } : {}) }]),
      "context.compacted": ({ seq }) => notice(seq, "info", "The agent compacted the conversation."),
      "handoff.started": ({ data: { from, to }, seq }) =>
        notice(seq, "info", `The session is handed off from ${from} to ${to}.`, true),
      "handoff.ended": ({ data: { from, to, outcome, reason }, seq }) => {
        const failed = `The handoff from ${from} to ${to} was ${outcome}${reason ? `: ${reason}` : ""}.`;
        const text = outcome === "completed" ? `${to} has taken over from ${from}.` : failed;
        return [...notice(seq, "warning", text, true), { config: true }];
      },
      "limit.reached": ({ data, seq }) => {
        const title = limitTitle({ ...data, autoResume: data.autoResume ?? false });
        return notice(seq, "warning", `${title}.${data.text ? ` ${data.text}` : ""}`, true);
      },
      "limit.cleared": ({ data, seq }) => notice(seq, "info", `${data.provider}: the limit has ended.`),
      notice: ({ data: { severity, text }, seq }) => notice(seq, severity, text),
      error: ({ data, seq }) => notice(seq, "warning", failureText(data)),
      "health.stalled": ({ data: { reason }, seq }) => notice(seq, "warning", reason),
    };
  }

  /** The text of a subagent is part of the tool call that contains it, unless the client has seen its start. */
  #endText(of: "text" | "thought", { item, text, parent }: { item: string; text: string; parent?: string }): Output[] {
    return parent && !this.#texts.has(of, item) ? [] : toOutputs(this.#texts.end(of, item, text));
  }

  #endTurn({ data, turn = "", seq }: Envelope<"turn.ended">): Output[] {
    this.#usd += data.cost?.usd ?? 0;
    this.#pending = 0;
    const end = turnEnd(data);
    const failed = end.failure && end.stopReason !== "cancelled" ? data.error : undefined;
    return [
      ...(failed ? notice(seq, "error", failureText(failed), true) : []),
      { update: { kind: "state", state: "idle", end } },
      { ended: turn, end },
    ];
  }

  /** An input that belongs to no tool call is shown as one, so that its end can be shown too. */
  #ask(input: Envelope<"input.requested">["data"]): Output[] {
    const blocked = input.blocking && this.#pending++ === 0;
    const outputs: Output[] = blocked ? [{ update: { kind: "state", state: "requires_action" } }] : [];
    if (!input.item) {
      this.#asked.add(input.id);
      const content = input.detail ? [{ type: "text" as const, text: input.detail }] : [];
      const fields = { title: input.title, kind: input.tool?.kind ?? "other", status: "pending" as const, content };
      outputs.push({ update: { kind: "tool", id: input.id, fields } });
    }
    return [...outputs, { ask: input }];
  }

  #settle(id: string, decision: string): Output[] {
    const resumed = this.#pending > 0 && --this.#pending === 0;
    const status = decision.startsWith("allow") ? "completed" : "failed";
    const shown = this.#asked.delete(id);
    return [
      { settled: id },
      ...(shown ? toOutputs([{ kind: "tool_change", id, fields: { status } }]) : []),
      ...(resumed ? toOutputs([{ kind: "state", state: "running" }]) : []),
    ];
  }

  #openWork(key: string, seq: number, fields: { title: string; kind: string; name?: string }): Output[] {
    // The agent may use an id again; the sequence number makes the call unique.
    const id = `${key.replace(" ", ":")}:${seq}`;
    this.#work.set(key, id);
    return toOutputs([{ kind: "tool", id, fields: { ...fields, status: "in_progress" } }]);
  }

  #closeWork(key: string, end: string, text: string | undefined): Output[] {
    const id = this.#work.get(key);
    this.#work.delete(key);
    if (id === undefined) return [];
    const status = end === "ok" ? "completed" : end === "error" ? "failed" : "cancelled";
    const content = text ? { content: [{ type: "text" as const, text }] } : {};
    return toOutputs([{ kind: "tool_change", id, fields: { status, ...content } }]);
  }
}

/** Fields of a session that a client sees as config options. */
const CONFIG_FIELDS = [
  "model",
  "mode",
  "modeApplied",
  "effort",
  "controls",
  "controlsApplied",
  "controlChoices",
  "agent",
];

const STOP_REASONS: Record<TurnOutcome, TurnEnd["stopReason"]> = {
  completed: "end_turn",
  interrupted: "cancelled",
  failed: "error",
};

/** How a turn ended, in ACP's terms. */
export function turnEnd(data: Envelope<"turn.ended">["data"]): TurnEnd {
  const { outcome, reason, usage, error } = data;
  const spent = usage ? { usage } : {};
  if (outcome === "completed" && (reason === "max_tokens" || reason === "max_turn_requests"))
    return { stopReason: reason, ...spent };
  if (outcome !== "failed") return { stopReason: STOP_REASONS[outcome], ...spent };
  const { category = "unknown", message = reason ?? "The turn failed.", remedy, resetsAt } = error ?? {};
  const failure = { category, message, ...(remedy ? { remedy } : {}), ...(resetsAt ? { resetsAt } : {}) };
  const stopReason = category === "refused" ? "refusal" : category === "cancelled" ? "cancelled" : "error";
  return { stopReason, failure, ...spent };
}

/** A failure as text: what happened and what to do. */
export function failureText({ message, remedy, resetsAt }: Pick<Failure, "message" | "remedy" | "resetsAt">): string {
  return [message, resetsAt && `The limit resets at ${resetsAt}.`, remedy].filter(Boolean).join(" ");
}

function notice(seq: number, severity: "info" | "warning" | "error", text: string, durable = false): Output[] {
  return toOutputs([{ kind: "notice", id: `notice-${seq}`, severity, text, durable }]);
}

function toOutputs(updates: readonly Update[]): Output[] {
  return updates.map((update) => ({ update }));
}
