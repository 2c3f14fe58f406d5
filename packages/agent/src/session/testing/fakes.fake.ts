import type {
  AssistantMessage,
  Credential,
  Credentials,
  Model,
  ModelRegistry,
  ModelRequest,
  ProviderFailure,
  StreamEvent,
  StreamModel,
  ToolCall,
} from "@gantry/models";
import { z } from "zod";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentSession } from "../../contract/session.ts";
import type { Tool, ToolContext } from "../../contract/tool.ts";
import { createSessionStore } from "../../session-files/open.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../settings/schema.ts";
import { defineTool } from "../../tools/define.ts";
import { createSession } from "../create.ts";
import { blankAnswer } from "../drive/ask-model.ts";
import type { SessionOptions } from "../options.ts";

/** One answer of the fake model. `hang`: it sends its text and then waits for an abort. */
export type Reply = {
  text?: string;
  thinking?: string;
  calls?: { id?: string; name: string; args?: Record<string, unknown>; invalid?: string }[];
  fail?: ProviderFailure;
  hang?: boolean;
  stop?: "stop" | "length";
  tokens?: number;
};

export const MODEL: Model = {
  id: "small",
  name: "Small",
  api: "openai-completions",
  provider: "fake",
  baseUrl: "http://127.0.0.1:1",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 4_000,
};
export const LARGE: Model = { ...MODEL, id: "large", name: "Large", contextWindow: 1_000_000 };
export const OTHER: Model = { ...MODEL, id: "other", name: "Other", provider: "elsewhere" };

/** A model in memory, for tests without a wire. It returns scripted answers and records its requests. */
export class FakeModel {
  readonly requests: { model: Model; request: ModelRequest }[] = [];
  #replies: (Reply | ((request: ModelRequest) => Reply))[];
  #calls = 0;

  constructor(...replies: (Reply | ((request: ModelRequest) => Reply))[]) {
    this.#replies = replies;
  }

  add(...replies: (Reply | ((request: ModelRequest) => Reply))[]): void {
    this.#replies.push(...replies);
  }

  readonly stream: StreamModel = (model, request) => {
    this.requests.push({ model, request: { ...request, messages: structuredClone([...request.messages]) } });
    const next = this.#replies.shift() ?? { text: "Done." };
    return this.#stream(model, request, typeof next === "function" ? next(request) : next);
  };

  async *#stream(model: Model, request: ModelRequest, reply: Reply): AsyncGenerator<StreamEvent> {
    const content: AssistantMessage["content"] = [];
    const wholeMessage = (): AssistantMessage => ({ ...blankAnswer(model, request.thinking), content: [...content] });
    yield { type: "start" };
    let index = 0;
    if (reply.thinking !== undefined) {
      yield { type: "thinking_start", index };
      yield { type: "thinking_delta", index, delta: reply.thinking };
      content.push({ type: "thinking", thinking: reply.thinking });
      yield { type: "thinking_end", index: index++, thinking: reply.thinking };
    }
    if (reply.text !== undefined) {
      yield { type: "text_start", index };
      const block = { type: "text" as const, text: "" };
      content.push(block);
      for (const delta of reply.text.match(/.{1,4}/gs) ?? []) {
        if (request.signal.aborted) return yield { type: "error", message: abortedMessage(wholeMessage()) };
        block.text += delta;
        yield { type: "text_delta", index, delta };
        await Promise.resolve();
      }
      yield { type: "text_end", index: index++, text: reply.text };
    }
    for (const { id, name, args = {}, invalid } of reply.calls ?? []) {
      this.#calls += 1;
      const toolCall: ToolCall = { type: "toolCall", id: id ?? `call_${this.#calls}`, name, arguments: args };
      content.push(toolCall);
      yield { type: "toolcall_start", index, id: toolCall.id, name };
      yield { type: "toolcall_end", index: index++, toolCall, ...(invalid === undefined ? {} : { invalid }) };
    }
    if (reply.hang) {
      await new Promise<void>((resolve) => {
        if (request.signal.aborted) resolve();
        else request.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    if (request.signal.aborted) return yield { type: "error", message: abortedMessage(wholeMessage()) };
    if (reply.fail) {
      const { fail } = reply;
      return yield {
        type: "error",
        message: { ...wholeMessage(), stopReason: "error", errorMessage: fail.message, failure: fail },
      };
    }
    const usage = { ...wholeMessage().usage, input: reply.tokens ?? 10, totalTokens: reply.tokens ?? 10 };
    const stopReason = reply.stop ?? (reply.calls?.length ? "toolUse" : "stop");
    yield { type: "done", message: { ...wholeMessage(), usage, stopReason } };
  }
}

function abortedMessage(message: AssistantMessage): AssistantMessage {
  const failure = { category: "aborted" as const, message: "Aborted." };
  return { ...message, stopReason: "aborted", errorMessage: failure.message, failure };
}

export function fakeRegistry(models: readonly Model[] = [MODEL, LARGE, OTHER], promotion?: Model): ModelRegistry {
  const resolve = (selector: string) => {
    const model = models.find((each) => `${each.provider}/${each.id}` === selector || each.id === selector);
    return model && { model, why: [] };
  };
  return {
    all: () => models,
    available: () => models,
    find: (provider, id) => models.find((each) => each.provider === provider && each.id === id),
    resolve,
    initial: (options) => (options?.selector ? resolve(options.selector) : models[0] && { model: models[0], why: [] }),
    clamp: (model, level) => (model.reasoning ? level : "off"),
    levels: (model) => (model.reasoning ? ["off", "low", "high"] : ["off"]),
    promotion: () => promotion,
    canonical: (model) => model.id,
    problems: () => [],
    refresh: async () => undefined,
    onChange: () => () => undefined,
  };
}

/** Returns these keys in order: the next one after each refusal. */
export function fakeCredentials(...keys: string[]): Credentials & { reports: [Credential, unknown][] } {
  const reports: [Credential, unknown][] = [];
  let at = 0;
  return {
    reports,
    has: () => keys.length > 0,
    get: async () => (keys.length === 0 ? undefined : { kind: "key", key: keys[Math.min(at, keys.length - 1)]! }),
    report: (_, credential, outcome) => {
      reports.push([credential, outcome]);
      if (outcome !== "ok") at += 1;
    },
    override: () => undefined,
  };
}

export function settingsWith(change: (settings: Settings) => void): Settings {
  const settings = structuredClone(DEFAULT_SETTINGS);
  settings.retry.baseDelayMs = 1;
  settings.tools.intentTracing = false;
  change(settings);
  return settings;
}

/** A tool whose behaviour the test supplies. */
export function fakeTool(
  name: string,
  run: (context: ToolContext, args: { value?: string }) => Promise<string> | string,
  more: Partial<Pick<Tool, "concurrency" | "hidden">> = {},
): Tool {
  return defineTool({
    name,
    label: name,
    description: name,
    schema: z.object({ value: z.string().optional() }),
    ...more,
    actions: () => [{ kind: "inner" }],
    run: async (args, context) => await run(context, args),
  });
}

export type Started = { session: AgentSession; events: AgentEvent[]; model: FakeModel };

export async function startSession(model: FakeModel, options: Partial<SessionOptions> = {}): Promise<Started> {
  const session = await createSession({
    cwd: "/",
    store: createSessionStore({ cwd: "/", inMemory: true }),
    registry: fakeRegistry(),
    credentials: fakeCredentials("key"),
    stream: model.stream,
    settings: settingsWith(() => undefined),
    graceMs: 50,
    ...options,
  });
  const events: AgentEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { session, events, model };
}

/** Resolves with the first matching event, including past ones. */
export function waitForEvent(started: Started, fits: (event: AgentEvent) => boolean): Promise<void> {
  if (started.events.some(fits)) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = started.session.subscribe((event) => {
      if (!fits(event)) return;
      stop();
      resolve();
    });
  });
}

/** The invariants of every event sequence that are violated. */
export function brokenLaws(events: readonly AgentEvent[]): string[] {
  const problems: string[] = [];
  const open = { agent: 0, turn: 0, message: 0 };
  const tools = new Set<string>();
  for (const event of events) {
    if (event.type === "agent_start" && ++open.agent > 1) problems.push("a run within a run");
    if (event.type === "agent_end" && --open.agent < 0) problems.push("an end of no run");
    if (event.type === "turn_start" && ++open.turn > 1) problems.push("a turn within a turn");
    if (event.type === "turn_end" && --open.turn < 0) problems.push("an end of no turn");
    if (event.type === "message_start" && ++open.message > 1) problems.push("a message within a message");
    if (event.type === "message_end" && --open.message < 0) problems.push("an end of no message");
    if (event.type === "tool_execution_start") {
      if (tools.has(event.toolCallId)) problems.push(`${event.toolCallId} began twice`);
      tools.add(event.toolCallId);
    }
    if (event.type === "tool_execution_end" && !tools.delete(event.toolCallId)) {
      problems.push(`${event.toolCallId} ended without a beginning`);
    }
  }
  if (open.agent + open.turn + open.message > 0) problems.push(`left open: ${JSON.stringify(open)}`);
  if (tools.size > 0) problems.push(`calls without an end: ${[...tools].join(", ")}`);
  return problems;
}
