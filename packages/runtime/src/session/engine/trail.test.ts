import type { Envelope } from "@gantry/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { acp } from "../../agents/acp/descriptor.ts";
import type { Channel, LaunchOptions } from "../../agents/contract.ts";
import { Exchange, type Talk, trailMs } from "../exchange.ts";
import { EngineBench, faults } from "./engine.fake.ts";
import { processEnded } from "./outputs.ts";
import { interrupt, sendMessage } from "./queue.ts";

/*
 * Whatever an agent still says after it has ended a turn, and whatever happens meanwhile: each turn ends once, as the
 * agent ended it, every word is told once, and a restart between any two frames changes nothing.
 */

const launch: LaunchOptions = { cwd: "/work/project", mode: "inherit", uuid: "0".repeat(36), dir: "" };
const [channel] = acp.channels as [Channel<never>];

const steps = ["say", "think", "call", "called", "cost", "answer", "answerAgain", "ask"] as const;
const turns = ["clock", "send", "interrupt"] as const;
const step = fc.constantFrom(...steps, ...turns);
type Step = (typeof steps)[number] | (typeof turns)[number];

/** An exchange after the other with an imagined agent, as the runner makes them. */
class Story {
  readonly bench = new EngineBench({ steer: "queue", queueLimit: 1000 });
  readonly words: string[] = [];
  /** Words that came while the end of a turn was held back, each with that turn. */
  readonly trailed: [word: string, turn: string][] = [];
  readonly cancels: boolean[] = [];
  #talk: Talk | undefined = { channel, state: channel.initial(launch), ready: false, told: [], offset: 0 };
  #prompts: unknown[] = [];
  #last: unknown;
  #calls: string[] = [];
  #count = 0;
  readonly #restarts: boolean;

  constructor(restarts: boolean) {
    this.#restarts = restarts;
    this.#do((exchange) => exchange.open());
    this.#hear({ id: 1, result: { protocolVersion: 1, agentCapabilities: {} } });
    this.#hear({ id: 2, result: { sessionId: "s" } });
  }

  play(next: Step): void {
    const name = `${next}${++this.#count}`;
    switch (next) {
      case "say":
        return this.#say("agent_message_chunk", name);
      case "think":
        return this.#say("agent_thought_chunk", name);
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
        return this.#do((exchange) => exchange.endTrail());
      case "send":
        return this.#send(name);
      case "interrupt":
        return this.#interrupt();
    }
  }

  /** The process ends, and with it the story. */
  end(): Envelope[] {
    const { turn } = this.bench.view;
    this.#do((exchange) => {
      exchange.hear({ dir: "end", code: 0, signal: null }, 0);
      const next = exchange.step.view.turn;
      if (!next || next.id === turn?.id) processEnded(exchange.step, { code: 0, signal: null });
    });
    return this.bench.events;
  }

  get trailing(): boolean {
    return trailMs(this.#talk) !== undefined;
  }

  #say(sessionUpdate: string, word: string): void {
    this.words.push(word);
    if (this.trailing) this.trailed.push([word, this.bench.view.turn?.id ?? "none"]);
    this.#update({ sessionUpdate, content: { type: "text", text: `<${word}>` } });
  }

  #ask(toolCallId: string): void {
    const params = { sessionId: "s", toolCall: { toolCallId, kind: "edit", title: "Write" }, options: [] };
    this.#hear({ id: toolCallId, method: "session/request_permission", params });
  }

  #send(id: string): void {
    const message = { id, text: "go on", attachments: [], delivery: "auto" as const, author: "user" };
    this.#do(({ step }) => void sendMessage(step, message, "ready"));
  }

  #interrupt(): void {
    const held = this.trailing;
    this.#do((exchange) => {
      interrupt(exchange.step, "keep", "ready");
      exchange.flush();
      if (held) this.cancels.push(exchange.frames.length > 0);
    });
  }

  #answer(): void {
    this.#hear({ id: this.#last, result: { stopReason: "end_turn" } });
  }

  #update(update: object): void {
    this.#hear({ method: "session/update", params: { sessionId: "s", update } });
  }

  #hear(msg: object): void {
    this.#do((exchange) => exchange.hear({ dir: "out", msg: { jsonrpc: "2.0", ...msg } }, 0));
  }

  #do(action: (exchange: Exchange) => void): void {
    this.bench.do((step) => {
      const exchange = new Exchange(step, this.#talk);
      action(exchange);
      exchange.flush();
      const told = exchange.frames.map(({ msg }) => msg as { id?: unknown; method?: string });
      this.#prompts.push(...told.filter(({ method }) => method === "session/prompt").map(({ id }) => id));
      this.#talk = exchange.talk && this.#restarts ? stored(exchange.talk) : exchange.talk;
    });
  }
}

function stored(talk: Talk): Talk {
  return { ...talk, state: JSON.parse(JSON.stringify(talk.state)) as never };
}

function told(plan: readonly Step[], restarts = false): { story: Story; events: Envelope[] } {
  const story = new Story(restarts);
  for (const next of plan) story.play(next);
  return { story, events: story.end() };
}

/** Where a word is told: the turn of its message, or `late`. */
function placesOf(events: readonly Envelope[], word: string): (string | undefined)[] {
  return events.flatMap((event) => {
    const late = event.type === "notice" && event.data.kind === "late_text";
    if (late) return event.data.text.includes(`<${word}>`) ? ["late"] : [];
    if (event.type !== "message.done" && event.type !== "reasoning.done") return [];
    return String(event.data.text).includes(`<${word}>`) ? [event.turn] : [];
  });
}

const plans = fc.array(step, { minLength: 3, maxLength: 40 }).map((plan): Step[] => ["send", ...plan]);

test("one end for each turn, every word once, and what trails in the turn that it trails", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { story, events } = told(plan);
      // With the end of one turn the next of the queue begins, which is for another process.
      const next = story.bench.view.turn;
      expect(faults(events)).toEqual({ broken: [], open: next ? [`turn.started ${next.id}`] : [] });
      for (const word of story.words) expect(placesOf(events, word)).toHaveLength(1);
      for (const [word, turn] of story.trailed) expect(placesOf(events, word)).toEqual([turn]);
      expect(story.cancels).not.toContain(true);
    }),
    { numRuns: 300 },
  );
});

test("a restart between any two of them changes nothing", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      expect(told(plan, true).events).toEqual(told(plan).events);
    }),
    { numRuns: 150 },
  );
});

test("a turn that the agent has ended keeps its outcome, whatever comes before its time is over", () => {
  const meanwhile = fc.array(fc.constantFrom<Step>("say", "think", "cost", "interrupt", "send", "answerAgain"));
  fc.assert(
    fc.property(meanwhile, fc.boolean(), (plan, clock) => {
      const { events } = told(["send", "say", "answer", ...plan, ...(clock ? (["clock"] as const) : [])]);
      const [first] = events.filter((event) => event.type === "turn.ended");
      expect(first).toMatchObject({ turn: "trn_1", data: { outcome: "completed" } });
      expect(first?.synthetic).toBeUndefined();
    }),
  );
});
