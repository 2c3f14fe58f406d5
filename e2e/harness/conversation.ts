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
import { breaches, streamBreaches, unbilledTurns } from "./laws.ts";
import { eventually, PATIENCE_MS } from "./wait.ts";

/** A session as a client lives it: followed from its first event, with every frame kept. */
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

  /** Creates the session and follows it before anything is said, so that no piece is missed. */
  static async open(client: Client, body: CreateSession, patienceMs = PATIENCE_MS): Promise<Conversation> {
    const { prompt, attachments, ...rest } = body;
    const { id } = await client.sessions.create(rest);
    const conversation = await Conversation.follow(client, id, patienceMs);
    if (prompt !== undefined) await conversation.send(prompt, { attachments });
    return conversation;
  }

  /** Follows a session that exists already. */
  static async follow(client: Client, id: string, patienceMs = PATIENCE_MS): Promise<Conversation> {
    const conversation = new Conversation(client, id, patienceMs);
    void conversation.#follow();
    await conversation.until("the stream", () => conversation.frames.some((frame) => "snapshot" in frame));
    return conversation;
  }

  get events(): Envelope[] {
    return this.frames.flatMap((frame) => ("event" in frame ? [frame.event] : []));
  }

  /** The events of one type that have come so far. */
  of<T extends EventType>(type: T): Envelope<T>[] {
    return this.events.filter(({ type: found }) => found === type) as Envelope<T>[];
  }

  /** What was streamed so far on a channel of any item. */
  streamed(channel: "text" | "reasoning" | "input" | "output"): string {
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

  /** The end of the turn with this number, once nothing more of it is to come. */
  async ended(turn = 1): Promise<Envelope<"turn.ended">> {
    return this.until(`the end of turn ${turn}`, () => this.of("turn.ended")[turn - 1]);
  }

  /** The pending input with this number, counted over the whole session. */
  async asked(count = 1): Promise<InputRequest> {
    const event = await this.until(`input ${count}`, () => this.of("input.requested")[count - 1]);
    return event.data;
  }

  /** Says a thing and waits for the end of the turn that comes of it, which must be a completed one. */
  async completes(text: string, more: Omit<SendMessage, "text"> = {}): Promise<Envelope<"turn.ended">> {
    const turn = this.of("turn.ended").length + 1;
    await this.send(text, more);
    const end = await this.ended(turn);
    if (end.data.outcome === "completed") return end;
    throw new Error(`the turn was ${end.data.outcome}: ${end.data.error?.message ?? end.data.reason}`);
  }

  /** The laws, on the stream and on the log as it can be fetched. `billed`: every completed turn says what it took. */
  async breaches(billed: boolean): Promise<string[]> {
    const log: Envelope[] = [];
    for (;;) {
      const page = await this.#client.sessions.events(this.id, { after: log.length, limit: 1000 });
      log.push(...page.events);
      if (page.events.length === 0 || log.length >= page.lastSeq) break;
    }
    await this.until("the whole log on the stream", () => this.events.length >= log.length);
    return [...breaches(log), ...streamBreaches(this.frames, log), ...(billed ? unbilledTurns(log) : [])];
  }

  /** The last events in short, for a person who looks for what went wrong. */
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
