import type { Envelope } from "@gantry/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { acp } from "../../../agents/acp/descriptor.ts";
import type { Channel, LaunchOptions } from "../../../agents/contract.ts";
import { endTrail, receiveFrame, trailMs } from "../outputs.ts";
import { endProcess, startHandshake } from "../process.ts";
import { sendPrompts } from "../prompts.ts";
import { sendMessage } from "../queue.ts";
import type { SessionStep } from "../step.ts";
import { interrupt } from "../stop.ts";
import { EngineBench, faults } from "./engine.fake.ts";

/*
 * An agent may print more after it ended a turn. Each turn still ends once, with the agent's outcome, every text appears
 * once, and a restart between any two frames changes nothing.
 */

const launch: LaunchOptions = { cwd: "/work/project", mode: "inherit", uuid: "0".repeat(36), dir: "" };
const [channel] = acp.channels as [Channel<never>];

const steps = ["print", "think", "call", "called", "cost", "answer", "answerAgain", "ask"] as const;
const turns = ["clock", "send", "interrupt"] as const;
const step = fc.constantFrom(...steps, ...turns);
type Move = (typeof steps)[number] | (typeof turns)[number];

/** Steps with a simulated agent, as the actor makes them. */
class Story {
  readonly bench = new EngineBench({ steer: "queue", queueLimit: 1000 });
  readonly texts: string[] = [];
  /** Texts that came while the end of a turn was held back, each with that turn. */
  readonly trailed: [word: string, turn: string][] = [];
  readonly cancels: boolean[] = [];
  #prompts: unknown[] = [];
  #last: unknown;
  #calls: string[] = [];
  #count = 0;
  readonly #restarts: boolean;

  constructor(restarts: boolean) {
    this.#restarts = restarts;
    const conversation = { channel, state: channel.initial(launch), ready: false, prompted: [], offset: 0 };
    this.bench.state = { ...this.bench.state, conversation };
    this.#do(startHandshake);
    this.#receive({ id: 1, result: { protocolVersion: 1, agentCapabilities: {} } });
    this.#receive({ id: 2, result: { sessionId: "s" } });
  }

  play(next: Move): void {
    const name = `${next}${++this.#count}`;
    switch (next) {
      case "print":
        return this.#print("agent_message_chunk", name);
      case "think":
        return this.#print("agent_thought_chunk", name);
      case "call":
        this.#calls.push(name);
        return this.#update({ sessionUpdate: "tool_call", toolCallId: name, kind: "read", title: name });
      case "called":
        return this.#update({ sessionUpdate: "tool_call_update", toolCallId: this.#calls.pop(), status: "completed" });
      case "cost":
        return this.#update({ sessionUpdate: "usage_update", used: this.#count, size: 1000 });
      case "answer":
        this.#last = this.#prompts.shift();
        return this.#last === undefined ? undefined : this.#answer();
      case "answerAgain":
        return this.trailing ? this.#answer() : undefined;
      case "ask":
        return this.#ask(name);
      case "clock":
        return this.#do((step) => void endTrail(step));
      case "send":
        return this.#send(name);
      case "interrupt":
        return this.#interrupt();
    }
  }

  /** The process exits. */
  end(): Envelope[] {
    const { turn } = this.bench.view;
    this.#do((step) => {
      receiveFrame(step, { dir: "end", code: 0, signal: null }, 0);
      const next = step.view.turn;
      if (!next || next.id === turn?.id) endProcess(step, { code: 0, signal: null });
    });
    return this.bench.events;
  }

  get trailing(): boolean {
    return trailMs(this.bench.state.conversation) !== undefined;
  }

  #print(sessionUpdate: string, word: string): void {
    this.texts.push(word);
    if (this.trailing) this.trailed.push([word, this.bench.view.turn?.id ?? "none"]);
    this.#update({ sessionUpdate, content: { type: "text", text: `<${word}>` } });
  }

  #ask(toolCallId: string): void {
    const params = { sessionId: "s", toolCall: { toolCallId, kind: "edit", title: "Write" }, options: [] };
    this.#receive({ id: toolCallId, method: "session/request_permission", params });
  }

  #send(id: string): void {
    const message = { id, text: "continue", attachments: [], delivery: "auto" as const, author: "user" };
    this.#do((step) => void sendMessage(step, message));
  }

  #interrupt(): void {
    const held = this.trailing;
    this.#do((step) => {
      interrupt(step, "keep");
      if (held) this.cancels.push(step.frames.length > 0);
    });
  }

  #answer(): void {
    this.#receive({ id: this.#last, result: { stopReason: "end_turn" } });
  }

  #update(update: object): void {
    this.#receive({ method: "session/update", params: { sessionId: "s", update } });
  }

  #receive(msg: object): void {
    this.#do((step) => receiveFrame(step, { dir: "out", msg: { jsonrpc: "2.0", ...msg } }, 0));
  }

  #do(action: (step: SessionStep) => void): void {
    this.bench.do((step) => {
      action(step);
      sendPrompts(step);
      const sent = step.frames.map(({ msg }) => msg as { id?: unknown; method?: string });
      this.#prompts.push(...sent.filter(({ method }) => method === "session/prompt").map(({ id }) => id));
    });
    const { conversation } = this.bench.state;
    if (!conversation || !this.#restarts) return;
    const state = JSON.parse(JSON.stringify(conversation.state)) as never;
    this.bench.state = { ...this.bench.state, conversation: { ...conversation, state } };
  }
}

function playAll(plan: readonly Move[], restarts = false): { story: Story; events: Envelope[] } {
  const story = new Story(restarts);
  for (const next of plan) story.play(next);
  return { story, events: story.end() };
}

/** Where a text appears: the turn of its message, or `late`. */
function placesOf(events: readonly Envelope[], word: string): (string | undefined)[] {
  return events.flatMap((event) => {
    const late = event.type === "notice" && event.data.kind === "late_text";
    if (late) return event.data.text.includes(`<${word}>`) ? ["late"] : [];
    if (event.type !== "message.done" && event.type !== "reasoning.done") return [];
    return String(event.data.text).includes(`<${word}>`) ? [event.turn] : [];
  });
}

const plans = fc.array(step, { minLength: 3, maxLength: 40 }).map((plan): Move[] => ["send", ...plan]);

test("ends each turn once, stores each text once, and puts trailing output into the turn that it trails", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { story, events } = playAll(plan);
      // With the end of one turn the next of the queue begins, which is for another process.
      const next = story.bench.view.turn;
      expect(faults(events)).toEqual({ broken: [], open: next ? [`turn.started ${next.id}`] : [] });
      for (const word of story.texts) expect(placesOf(events, word)).toHaveLength(1);
      for (const [word, turn] of story.trailed) expect(placesOf(events, word)).toEqual([turn]);
      expect(story.cancels).not.toContain(true);
    }),
    { numRuns: 300 },
  );
});

test("gives the same log with a restart between any two frames", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      expect(playAll(plan, true).events).toEqual(playAll(plan).events);
    }),
    { numRuns: 150 },
  );
});

test("keeps the agent's outcome of a turn, whatever arrives before the trail deadline", () => {
  const meanwhile = fc.array(fc.constantFrom<Move>("print", "think", "cost", "interrupt", "send", "answerAgain"));
  fc.assert(
    fc.property(meanwhile, fc.boolean(), (plan, clock) => {
      const { events } = playAll(["send", "print", "answer", ...plan, ...(clock ? (["clock"] as const) : [])]);
      const [first] = events.filter((event) => event.type === "turn.ended");
      expect(first).toMatchObject({ turn: "trn_1", data: { outcome: "completed" } });
      expect(first?.synthetic).toBeUndefined();
    }),
  );
});
