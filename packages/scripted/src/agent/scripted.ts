import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { asText, type Json, parseObject } from "../json.ts";
import type { Dialect, Host, Receiver } from "./host.ts";
import { steeredSteps, stepsFor } from "./script/script.ts";
import { ScriptedSink } from "./scripted-sink.ts";
import { type Conversation, ConversationStore } from "./store.ts";
import { Turn } from "./turn.ts";

const VERSION = "1";
const MODELS = [
  { id: "scripted-1", name: "Scripted 1", default: true },
  { id: "scripted-mini", name: "Scripted Mini", default: false },
];
const MODES = ["plan", "ask", "auto-edit", "full-auto"];

/** Gantry's own minimal protocol: JSON lines whose events are already the unified ones. */
export const scripted: Dialect = {
  oneShot(argv) {
    return argv.includes("--version") ? { stdout: `scripted-agent ${VERSION}\n`, code: 0 } : null;
  },
  start: (host) => new ScriptedAgent(host),
};

class ScriptedAgent implements Receiver {
  readonly #host: Host;
  readonly #store: ConversationStore;
  readonly #sink: ScriptedSink;
  readonly #waiting: { id: string; text: string }[] = [];
  readonly #handlers: Record<string, (frame: Json) => void> = {
    start: (frame) => this.#start(frame),
    prompt: (frame) => this.#prompt(asText(frame.id), asText(frame.text)),
    steer: (frame) => this.#steer(asText(frame.id), asText(frame.text)),
    interrupt: () => this.#turn?.interrupt(),
    answer: (frame) => this.#answer(frame),
    set: (frame) => this.#set(frame),
    stop_task: (frame) => this.#sink.background.stop(asText(frame.task)),
    ping: (frame) => this.#host.output.write({ type: "pong", id: frame.id }),
  };
  #conversation: Conversation | null = null;
  #turn: Turn | null = null;
  #model = MODELS[0]?.id as string;
  #controls: Record<string, string> = { fast: "off" };
  readonly #pace: number;

  constructor(host: Host) {
    this.#host = host;
    this.#pace = host.pace;
    const home = host.env.SCRIPTED_HOME ?? join(host.env.HOME ?? host.cwd, ".scripted-agent");
    this.#store = new ConversationStore(home);
    this.#sink = new ScriptedSink(host);
    host.output.use({
      foreign: (frame) =>
        frame.type === "event" || frame.type === "delta" ? { ...frame, session: newId("sca") } : null,
      unknown: () => ({ type: "x-future", payload: { nested: [1, 2, 3] } }),
    });
  }

  line(line: string): void {
    if (!line.trim()) return;
    const frame = parseObject(line);
    const handle = this.#handlers[asText(frame?.type)];
    if (frame && handle) handle(frame);
    else this.#complain(frame ? "unknown_frame" : "bad_frame", `Cannot use this line: ${line.slice(0, 100)}`);
  }

  end(): void {
    this.#turn?.interrupt();
    this.#sink.background.stopAll();
    void this.#host.exit(0);
  }

  #start(frame: Json): void {
    const cwd = asText(frame.cwd, this.#host.cwd);
    const resume = asText(frame.resume);
    const known = resume ? this.#store.load(resume) : null;
    if (resume && !known) {
      this.#complain("no_such_session", `There is no conversation ${resume}`);
      void this.#host.exit(1);
      return;
    }
    const id = known && frame.fork !== true ? known.id : newId("sca");
    this.#conversation = {
      id,
      cwd,
      turns: known?.turns ?? [],
      ...(frame.fork && known ? { forkedFrom: known.id } : {}),
    };
    this.#store.save(this.#conversation);
    this.#apply(frame);
    this.#sink.cwd = cwd;
    if (known && this.#host.faults.has("replay-then-hang")) this.#replay(known);
    else this.#sayReady(id);
  }

  #sayReady(id: string): void {
    this.#host.output.write({
      type: "ready",
      session: id,
      version: VERSION,
      models: MODELS,
      modes: MODES,
      controls: this.#controls,
      commands: [{ name: "compact", description: "Shortens the conversation" }],
    });
  }

  #prompt(id: string, text: string): void {
    if (!this.#conversation) {
      this.#complain("not_started", "Send a start frame first");
      return;
    }
    this.#host.output.write({ type: "accepted", id });
    if (this.#turn) this.#waiting.push({ id, text });
    else this.#run(id, text);
  }

  #run(id: string, text: string): void {
    const conversation = this.#conversation as Conversation;
    const turn = new Turn(this.#host, this.#sink, conversation.cwd, stepsFor(text, conversation.cwd));
    this.#turn = turn;
    void turn.run().then((ending) => {
      conversation.turns.push({ id, prompt: text, reply: ending.text });
      this.#store.save(conversation);
      this.#turn = null;
      const next = this.#waiting.shift();
      if (next) this.#run(next.id, next.text);
    });
  }

  #steer(id: string, text: string): void {
    if (!this.#turn || !this.#conversation) {
      this.#prompt(id, text);
      return;
    }
    this.#turn.steer(steeredSteps(text, this.#conversation.cwd), { cut: false });
    this.#host.output.write({ type: "accepted", id, inline: true });
  }

  #answer(frame: Json): void {
    const id = asText(frame.id);
    if (!this.#sink.settle(id, frame)) this.#complain("no_such_input", `Nothing waits for ${id}`);
  }

  #set(frame: Json): void {
    this.#apply(frame);
    const now: Record<string, string> = { mode: this.#sink.mode, model: this.#model };
    for (const [field, value] of Object.entries(now)) {
      if (!(field in frame)) continue;
      const ok = value === frame[field];
      this.#host.output.write({ type: "set.done", field, value: asText(frame[field]), ok });
    }
    if (!("controls" in frame)) return;
    this.#host.output.write({ type: "controls", values: this.#controls });
    this.#host.output.write({ type: "set.done", field: "controls", value: JSON.stringify(this.#controls), ok: true });
  }

  #apply(frame: Json): void {
    const mode = asText(frame.mode);
    if (MODES.includes(mode)) this.#sink.mode = mode;
    if (asText(frame.model)) this.#model = asText(frame.model);
    this.#sink.model = this.#model;
    if (typeof frame.controls !== "object" || frame.controls === null) return;
    this.#controls = { fast: "off", ...(frame.controls as Record<string, string>) };
    this.#host.pace = this.#controls.fast === "on" ? 0 : this.#pace;
  }

  #replay(conversation: Conversation): void {
    for (const turn of conversation.turns) {
      const data = { item: newId("itm"), text: turn.reply, phase: "final" };
      this.#host.output.write({ type: "event", event: { type: "message.done", data } });
    }
  }

  #complain(code: string, message: string): void {
    this.#host.output.write({ type: "error", code, message });
  }
}

function newId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${randomBytes(6).toString("hex")}`;
}
