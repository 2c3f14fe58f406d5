import type { Attachment, Envelope, EventData } from "@gantry/protocol";
import { type Command, commandOf, FileLedger, type StartedTool, startedTool, updatedTool } from "./work-facts.ts";

export type UserMessage = {
  seq: number;
  text: string;
  attachments: readonly Attachment[];
  author: string;
  /** It was sent into a running turn, or after one that was stopped. */
  correction: boolean;
  /** The message is queued, so the next agent receives it without the brief. */
  waits: boolean;
};
export type AskedInput = { seq: number; request: EventData<"input.requested"> };
export type Decision = AskedInput & { answer: { seq: number; data: EventData<"input.resolved"> } };

/** The most entries of each kind, for a log of any length. */
const MAX = { messages: 400, decided: 200, commands: 60 };

/**
 * Facts about the work, gathered from a log event by event. Pure. Events may be left out between two calls of `take` if
 * `skip` is called there.
 */
export class Facts {
  readonly messages: UserMessage[] = [];
  decided: Decision[] = [];
  commands: Command[] = [];
  readonly files = new FileLedger();
  readonly answers: { seq: number; text: string }[] = [];
  plan: { seq: number; data: EventData<"plan.updated"> } | undefined;
  where: { seq: number; data: EventData<"session.created"> } | undefined;
  /** How the last turn ended; `undefined` while none has. */
  lastEnd: { seq: number; data: EventData<"turn.ended"> } | undefined;
  /** Questions without an answer: open ones, and those that the end of the last turn cancelled. */
  readonly unanswered = new Map<string, AskedInput>();
  /** Sessions that this one was forked from, and the number before the first of their events. */
  readonly ancestors: { session: string; until: number; before: number }[] = [];
  /** Some of the log was not read. */
  skipped = false;
  readonly #byId = new Map<string, UserMessage>();
  readonly #tools = new Map<string, StartedTool>();
  readonly #asked = new Map<string, AskedInput>();
  readonly #items = new Map<string, { seq: number; text: string }>();
  #running = false;

  take(event: Envelope): void {
    const { seq } = event;
    switch (event.type) {
      case "session.created":
        this.where = { seq, data: event.data };
        return;
      case "message.user":
        return this.#userMessage(seq, event.data);
      case "message.delivery":
        return this.#addDelivery(seq, event.data);
      case "handoff.started":
        return this.#handedOver(seq, event.data);
      case "turn.started":
        this.#running = true;
        this.unanswered.clear();
        return;
      case "turn.ended":
        this.#running = false;
        this.lastEnd = { seq, data: event.data };
        return this.#turnEnded(event.data.outcome);
      case "plan.updated":
        this.plan = { seq, data: event.data };
        return;
      case "diff.updated":
        return this.files.addChanges(seq, event.data.files);
      case "input.requested":
        return this.#addRequest(event);
      case "input.resolved":
        return this.#addResolution(seq, event.data);
      default:
        return this.#work(event);
    }
  }

  /** Events are left out here: nothing from before is open any more. */
  skip(): void {
    this.skipped = true;
    this.unanswered.clear();
    this.#asked.clear();
    this.#tools.clear();
  }

  #work(event: Envelope): void {
    const { seq } = event;
    if (event.type === "tool.started") this.#tools.set(event.data.item, startedTool(seq, event.data));
    if (event.type === "tool.updated") this.#toolUpdated(seq, event.data);
    if (event.type === "tool.ended") this.#toolEnded(seq, event.data);
    if (event.type === "message.done" && event.data.parent === undefined && event.data.text.trim() !== "") {
      const answer = { seq, text: event.data.text };
      this.#items.set(event.data.item, answer);
      this.answers.push(answer);
      if (this.answers.length > MAX.messages) this.answers.shift();
    }
    if (event.type === "message.retracted") for (const item of event.data.items) this.#retract(item);
  }

  #userMessage(seq: number, data: EventData<"message.user">): void {
    // Gantry's own messages are made from this log.
    if (data.author === "gantry") return;
    const stopped = this.lastEnd?.data.outcome === "interrupted" && !this.#running;
    const correction = this.messages.length > 0 && (stopped || data.delivery === "interrupt");
    const { text, attachments = [], author = "user" } = data;
    const message = { seq, text, attachments, author, correction, waits: false };
    this.#byId.set(data.message, message);
    this.#add(message);
  }

  #handedOver(seq: number, { prompt }: EventData<"handoff.started">): void {
    if (prompt !== undefined)
      this.#add({ seq, text: prompt, attachments: [], author: "user", correction: false, waits: false });
  }

  #add(message: UserMessage): void {
    this.messages.push(message);
    // The first message is the goal.
    if (this.messages.length > MAX.messages) this.messages.splice(1, 1);
  }

  #addDelivery(seq: number, { message: id, state, text }: EventData<"message.delivery">): void {
    const message = this.#byId.get(id);
    if (!message) return;
    message.waits = state === "queued" || (state === "edited" && message.waits);
    if (state === "edited" && text !== undefined) Object.assign(message, { text, seq });
    if (state === "inline") message.correction = this.messages[0] !== message;
    if (state === "cancelled")
      this.messages.splice(this.messages.indexOf(message), this.messages.includes(message) ? 1 : 0);
  }

  #toolUpdated(seq: number, { item, patch }: EventData<"tool.updated">): void {
    const tool = this.#tools.get(item);
    if (tool) this.#tools.set(item, updatedTool(tool, seq, patch));
  }

  #toolEnded(seq: number, data: EventData<"tool.ended">): void {
    const tool = this.#tools.get(data.item);
    this.#tools.delete(data.item);
    if (data.changes?.length) this.files.addChanges(seq, data.changes);
    else if (tool && data.status === "ok") this.files.addLocations(tool);
    const command = tool && commandOf(tool, { seq, data });
    if (command) this.commands = [...this.commands, command].slice(-MAX.commands);
  }

  #turnEnded(outcome: string): void {
    if (outcome !== "completed") return;
    for (const id of this.unanswered.keys()) if (!this.#asked.has(id)) this.unanswered.delete(id);
  }

  #addRequest(event: Envelope<"input.requested">): void {
    const { seq } = event;
    // Old logs may lack the schema's defaults.
    const request = { ...event.data, questions: event.data.questions ?? [] };
    // A login, and Gantry's own question about the conversation, are not part of the work.
    const own = Object.values(event.ext ?? {}).some((ext) => isOwnQuestion(ext));
    if (own || request.kind === "login") return;
    this.#asked.set(request.id, { seq, request });
    this.unanswered.set(request.id, { seq, request });
  }

  #addResolution(seq: number, data: EventData<"input.resolved">): void {
    const asked = this.#asked.get(data.id);
    this.#asked.delete(data.id);
    // A question that was cancelled with its turn stays open.
    if (data.decision !== "cancel" || data.by === "user") this.unanswered.delete(data.id);
    if (!asked || data.by !== "user" || data.decision === "cancel") return;
    this.decided = [...this.decided, { ...asked, answer: { seq, data } }].slice(-MAX.decided);
  }

  #retract(item: string): void {
    const answer = this.#items.get(item);
    const at = answer ? this.answers.indexOf(answer) : -1;
    if (at >= 0) this.answers.splice(at, 1);
  }
}

function isOwnQuestion(ext: unknown): boolean {
  const request = (ext as { request?: unknown } | null)?.request;
  return typeof request === "string" && request.startsWith("gantry:");
}
