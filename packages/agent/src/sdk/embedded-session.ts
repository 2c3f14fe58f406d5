import type { ImageBlock, TextBlock } from "@gantry/models";
import { type AgentMessage, lastAnswerText } from "../contract/messages.ts";
import type { AgentSession, Disposition, PromptOptions } from "../contract/session.ts";
import type { SessionEvent, SessionEventOf, SessionEventType } from "../contract/session-event.ts";
import { createEventWire } from "../rpc/wire/event-wire.ts";
import { createRuns } from "../rpc/wire/runs.ts";
import { Subscribers } from "../session/subscribers.ts";

/** How the work on a message ended. `text` is the last answer; failures of models are reported here and never thrown. */
export type RunResult = {
  reason: SessionEventOf<"agent_settled">["reason"];
  text: string;
  /** The messages of the run, the user's message included. */
  messages: AgentMessage[];
  errorMessage?: string;
};

export type UserMessageOptions = {
  /** During a run: steer it, or queue the message after it. Without this, a message is refused during a run. */
  deliverAs?: "steer" | "followUp";
};

type OwnMethods = {
  /** The session's file; `undefined` if it is only in memory. */
  readonly sessionFile: string | undefined;
  /** Events in the shapes of the RPC protocol. Each update has the answer so far. A listener that throws affects nothing. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  on<Type extends SessionEventType>(type: Type, listener: (event: SessionEventOf<Type>) => void): () => void;
  /**
   * Sends a message and resolves when the session is idle again. A command that an extension handles without the model is
   * `completed`, without messages. Rejects with a `SessionError` if the message is not
   * accepted: without a model, after `dispose`, or during a run without `streamingBehavior`.
   */
  prompt(text: string, options?: PromptOptions): Promise<RunResult>;
  /** Sends a message and resolves when it is accepted. */
  sendUserMessage(content: string | (TextBlock | ImageBlock)[], options?: UserMessageOptions): Promise<Disposition>;
  /** Stops everything that the session started and closes what it opened. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The session of a program that embeds the agent: an `AgentSession` whose `prompt` waits for the end of the run. */
export type EmbeddedSession = Omit<AgentSession, keyof OwnMethods> & OwnMethods;

/** `release` closes the resources of the session. It is called once, after everything has stopped. */
export function embedSession(inner: AgentSession, release: () => void): EmbeddedSession {
  const subscribers = publishSessionEvents(inner);
  let ended: Promise<void> | undefined;
  const dispose = () => {
    ended ??= inner.dispose().finally(release);
    return ended;
  };
  const own: OwnMethods = {
    get sessionFile() {
      return inner.state().sessionFile;
    },
    subscribe: (listener) => subscribers.add(listener),
    on: (type, listener) =>
      subscribers.add((event) => {
        if (event.type === type) listener(event as Parameters<typeof listener>[0]);
      }),
    prompt: (text, options) => runPrompt(inner, subscribers, text, options),
    async sendUserMessage(content, { deliverAs } = {}) {
      const { text, images } = partsOf(content);
      return await inner.prompt(text, { images, ...(deliverAs ? { streamingBehavior: deliverAs } : {}) });
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
  return new Proxy(inner, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as unknown as EmbeddedSession;
}

function publishSessionEvents(inner: AgentSession): Subscribers<SessionEvent> {
  const subscribers = new Subscribers<SessionEvent>();
  const runs = createRuns();
  const toWire = createEventWire(true);
  inner.subscribe((event) => {
    for (const merged of runs.merge(event)) subscribers.publish(toWire(merged));
  });
  return subscribers;
}

async function runPrompt(
  inner: AgentSession,
  subscribers: Subscribers<SessionEvent>,
  prompt: string,
  options: PromptOptions = {},
): Promise<RunResult> {
  const messages: AgentMessage[] = [];
  let settled: Pick<SessionEventOf<"agent_settled">, "reason" | "errorMessage"> = { reason: "completed" };
  const unsubscribe = subscribers.add((event) => {
    if (event.type === "agent_end") messages.push(...event.messages);
    if (event.type === "agent_settled") settled = event;
  });
  try {
    await inner.prompt(prompt, options);
    await inner.waitUntilSettled();
    const { reason, errorMessage } = settled;
    const text = lastAnswerText(messages) ?? "";
    return { reason, text, messages, ...(errorMessage === undefined ? {} : { errorMessage }) };
  } finally {
    unsubscribe();
  }
}

function partsOf(content: string | readonly (TextBlock | ImageBlock)[]): { text: string; images: ImageBlock[] } {
  if (typeof content === "string") return { text: content, images: [] };
  return {
    text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"),
    images: content.filter((block) => block.type === "image"),
  };
}
