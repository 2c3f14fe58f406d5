import type { CallRuling, HookedCall, HookedRequest, Hooks } from "../../contract/hooks.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { asOutput, isRecord } from "../api/extension-tool.ts";
import type { HookHandlers } from "../api/types.ts";
import { copyOf } from "../load/copy.ts";
import type { Handler, Loaded } from "../load/loaded.ts";
import type { Supervisor } from "../load/supervise.ts";

/** For one handler. Time in dialogs does not count. */
export const HOOK_MS = 10_000;

type Parts = { extensions(): readonly Loaded[]; supervisor: Supervisor };

/** Calls the handlers of extensions in order. What a handler returns is checked: nonsense counts as a failure. */
export class ModuleHooks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  has(name: keyof HookHandlers): boolean {
    return this.#parts.extensions().some(({ state, handlers }) => state === "active" && handlers.some(isFor(name)));
  }

  /** Calls each handler with the event; `use` takes what it returned, or returns what is wrong with it. */
  async #each<Name extends keyof HookHandlers>(
    name: Name,
    event: () => Parameters<HookHandlers[Name]>[0],
    use: (returned: Record<string, unknown>) => string | undefined,
    isDone: () => boolean = () => false,
  ): Promise<void> {
    const { extensions, supervisor } = this.#parts;
    for (const extension of extensions()) {
      for (const handler of extension.handlers.filter(isFor(name))) {
        if (isDone()) return;
        const run = handler.run as (event: unknown) => unknown;
        await supervisor.run(
          extension,
          name,
          HOOK_MS,
          () => run(event()),
          (value) => {
            if (value === undefined || value === null) return undefined;
            return isRecord(value) ? use(value) : "It returned something other than an object.";
          },
        );
      }
    }
  }

  async notify(name: "session_end" | "event", event: object): Promise<void> {
    await this.#each(
      name,
      () => copyOf(event) as never,
      () => undefined,
    );
  }

  async sessionStart(reason: "start" | "resume" | "switch"): Promise<string[]> {
    const context: string[] = [];
    await this.#each(
      "session_start",
      () => ({ reason }),
      ({ context: text }) => takeText(text, (given) => context.push(given)),
    );
    return context;
  }

  async beforeTool(call: HookedCall): Promise<CallRuling | undefined> {
    let args = call.args;
    let deny: string | undefined;
    let ask: string | undefined;
    await this.#each(
      "before_tool",
      () => copyOf({ ...call, args }),
      (returned) => {
        if (returned.deny !== undefined) return takeText(returned.deny, (text) => (deny = text));
        if (returned.args !== undefined && !isRecord(returned.args)) return "args must be an object.";
        if (isRecord(returned.args)) args = returned.args;
        return takeText(returned.ask, (text) => (ask = text));
      },
      () => deny !== undefined,
    );
    if (deny !== undefined) return { deny };
    if (args === call.args && ask === undefined) return undefined;
    return { ...(args === call.args ? {} : { args }), ...(ask === undefined ? {} : { ask }) };
  }

  async afterTool(call: HookedCall, output: ToolOutput): Promise<ToolOutput | undefined> {
    let result = output;
    await this.#each(
      "after_tool",
      () => copyOf({ ...call, result }),
      (returned) => {
        const replaced = returned.result === undefined ? result : asOutput(returned.result);
        if (!replaced) return 'result must be {content: [{type: "text", text}]}.';
        result = replaced;
        return takeText(returned.text, (text) => {
          result = { ...result, content: [...result.content, { type: "text", text }] };
        });
      },
    );
    return result === output ? undefined : result;
  }

  async beforeRequest(request: HookedRequest): Promise<HookedRequest> {
    let now = request;
    await this.#each(
      "before_request",
      () => copyOf(now),
      ({ system, messages }) => {
        if (system !== undefined && !(Array.isArray(system) && system.every((text) => typeof text === "string")))
          return "system must be a list of texts.";
        if (messages !== undefined && !(Array.isArray(messages) && messages.every(isMessage)))
          return "messages must be a list of messages.";
        now = {
          system: (system as string[] | undefined) ?? now.system,
          messages: (messages as HookedRequest["messages"] | undefined) ?? now.messages,
        };
        return undefined;
      },
    );
    return now;
  }

  async prompt(text: string): Promise<{ refused: string } | { text: string; context: string[] }> {
    let now = text;
    let refused: string | undefined;
    const context: string[] = [];
    await this.#each(
      "prompt",
      () => ({ text: now }),
      (returned) =>
        takeText(returned.refuse, (reason) => (refused = reason)) ??
        takeText(returned.text, (changed) => (now = changed)) ??
        takeText(returned.context, (more) => context.push(more)),
      () => refused !== undefined,
    );
    return refused === undefined ? { text: now, context } : { refused };
  }

  async stop(count: number): Promise<string | undefined> {
    let reason: string | undefined;
    await this.#each(
      "stop",
      () => ({ count }),
      ({ continueWith }) => takeText(continueWith, (text) => (reason = text)),
      () => reason !== undefined,
    );
    return reason;
  }

  async beforeCompaction(reason: Parameters<NonNullable<Hooks["beforeCompaction"]>>[0]) {
    const ruling: { cancel?: string; instructions?: string } = {};
    await this.#each(
      "before_compaction",
      () => ({ reason }),
      ({ cancel, instructions }) =>
        takeText(cancel, (text) => (ruling.cancel = text)) ??
        takeText(instructions, (text) => (ruling.instructions = text)),
      () => ruling.cancel !== undefined,
    );
    return ruling;
  }
}

function isFor(name: keyof HookHandlers): (handler: Handler) => boolean {
  return (handler) => handler.name === name;
}

function takeText(value: unknown, use: (text: string) => unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") return "It returned a value that must be a text.";
  use(value);
  return undefined;
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "developer", "assistant", "toolResult"]);

function isMessage(message: unknown): boolean {
  return isRecord(message) && ROLES.has(message.role) && message.content !== undefined;
}
