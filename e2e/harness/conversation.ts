import type { Client, Frame } from "@gantry/client";
import type {
  CreateSession,
  Envelope,
  EventType,
  InputAnswer,
  InputRequest,
  SendMessage,
  Session,
} from "@gantry/protocol";
import { findBreaches, findStreamBreaches, findUnbilledTurns } from "./laws.ts";
import { eventually, PATIENCE_MS } from "./wait.ts";

/** A session as a client sees it: followed from its first event, with every received frame stored. */
export class Conversation {
  readonly id: string;
  readonly frames: Frame[] = [];
  readonly #client: Client;
  readonly #patienceMs: number;
  readonly #stop = new AbortController();
  #broken: Error | undefined;

  private constructor(client: Client, id: string, patienceMs: number) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.id = id;
  }

  /** Creates the session and follows it before the first message, so that no delta is missed. */
  static async open(client: Client, body: CreateSession, patienceMs = PATIENCE_MS): Promise<Conversation> {
    const { prompt, attachments, ...rest } = body;
    const { id } = await client.sessions.create(rest);
    const conversation = await Conversation.follow(client, id, patienceMs);
    if (prompt !== undefined) await conversation.send(prompt, { attachments });
    return conversation;
  }

  /** Follows an existing session. */
  static async follow(client: Client, id: string, patienceMs = PATIENCE_MS): Promise<Conversation> {
    const conversation = new Conversation(client, id, patienceMs);
    void conversation.#follow();
    await conversation.until("the stream", () => conversation.frames.some((frame) => "snapshot" in frame));
    return conversation;
  }

  get events(): Envelope[] {
    return this.frames.flatMap((frame) => ("event" in frame ? [frame.event] : []));
  }

  /** The events of one type received so far. */
  of<T extends EventType>(type: T): Envelope<T>[] {
    return this.events.filter(({ type: found }) => found === type) as Envelope<T>[];
  }

  /** The text streamed so far on a channel, of all items. */
  streamedText(channel: "text" | "reasoning" | "input" | "output"): string {
    const pieces = this.frames.flatMap((frame) => ("live" in frame && frame.live.type === "delta" ? [frame.live] : []));
    return pieces
      .filter((piece) => piece.channel === channel)
      .map((piece) => piece.text)
      .join("");
  }

  view(): Promise<Session> {
    return this.#client.sessions.get(this.id);
  }

  send(text: string, more: Omit<SendMessage, "text"> = {}) {
    return this.#client.sessions.send(this.id, { text, ...more });
  }

  answer(input: InputRequest, answer: InputAnswer) {
    return this.#client.answer(input.id, answer);
  }

  until<T>(what: string, look: () => T | undefined): Promise<T> {
    return eventually(
      () => `${what}; the log ends with\n${this.tail(6)}`,
      () => {
        if (this.#broken) throw this.#broken;
        return look();
      },
      this.#patienceMs,
    );
  }

  /** Waits for the end of the turn with this number. */
  async waitForEnd(turn = 1): Promise<Envelope<"turn.ended">> {
    return this.until(`the end of turn ${turn}`, () => this.of("turn.ended")[turn - 1]);
  }

  /** Waits for the input request with this number, counted over the whole session. */
  async waitForInput(count = 1): Promise<InputRequest> {
    const event = await this.until(`input ${count}`, () => this.of("input.requested")[count - 1]);
    return event.data;
  }

  /** Allows every request until the first turn ends. */
  async allowAll(turn = 1): Promise<void> {
    const answered = new Set<string>();
    await this.until("the end of the turn", () => {
      for (const { data } of this.of("input.requested")) {
        if (answered.has(data.id)) continue;
        answered.add(data.id);
        void this.answer(data, { decision: "allow" });
      }
      return this.of("turn.ended")[turn - 1];
    });
  }

  /** Sends a message and waits for the end of its turn. Throws if the turn did not complete. */
  async runTurn(text: string, more: Omit<SendMessage, "text"> = {}): Promise<Envelope<"turn.ended">> {
    const turn = this.of("turn.ended").length + 1;
    await this.send(text, more);
    const end = await this.waitForEnd(turn);
    if (end.data.outcome === "completed") return end;
    throw new Error(`the turn was ${end.data.outcome}: ${end.data.error?.message ?? end.data.reason}`);
  }

  /** Checks the laws on the stream and on the fetched log. `billed`: every completed turn must report its usage. */
  async findBreaches(billed: boolean): Promise<string[]> {
    const log: Envelope[] = [];
    for (;;) {
      const page = await this.#client.sessions.events(this.id, { after: log.length, limit: 1000 });
      log.push(...page.events);
      if (page.events.length === 0 || log.length >= page.lastSeq) break;
    }
    await this.until("the whole log on the stream", () => this.events.length >= log.length);
    return [...findBreaches(log), ...findStreamBreaches(this.frames, log), ...(billed ? findUnbilledTurns(log) : [])];
  }

  /** The last events, shortened, for the message of a failed check. */
  tail(count: number): string {
    return this.events
      .slice(-count)
      .map((event) => `    ${event.seq} ${event.type} ${JSON.stringify(event.data).slice(0, 300)}`)
      .join("\n");
  }

  close(): void {
    this.#stop.abort();
  }

  async #follow(): Promise<void> {
    try {
      for await (const frame of this.#client.follow(this.id, { signal: this.#stop.signal })) this.frames.push(frame);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#broken = error as Error;
    }
  }
}
