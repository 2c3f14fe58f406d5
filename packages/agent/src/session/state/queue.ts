import type { ImageBlock, TextBlock } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import type { CustomInput, InterruptMode, QueueMode } from "../../contract/session.ts";
import type { Incoming, LoopQueue } from "../../loop/ports.ts";

/** Messages that wait for the model. Steering enters the current run; follow-ups come after it. */
export class MessageQueue implements LoopQueue {
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  interruptMode: InterruptMode;
  #steering: Incoming[] = [];
  #followUp: Incoming[] = [];
  #notes: Incoming[] = [];
  /** Messages that waited when the run was stopped. They wait until they are resumed. */
  #held: Incoming[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #emit: (event: AgentEvent) => void;

  constructor(
    modes: { steeringMode: QueueMode; followUpMode: QueueMode; interruptMode: InterruptMode },
    emit: (event: AgentEvent) => void,
  ) {
    this.steeringMode = modes.steeringMode;
    this.followUpMode = modes.followUpMode;
    this.interruptMode = modes.interruptMode;
    this.#emit = emit;
  }

  get size(): number {
    return this.#steering.length + this.#followUp.length;
  }

  /** The number of messages that wait until the queue is resumed. */
  get heldSize(): number {
    return this.#held.length;
  }

  get hasSteering(): boolean {
    return this.#steering.length > 0;
  }

  steer(incoming: Incoming): void {
    this.#steering.push(incoming);
    this.#publish();
    if (this.interrupts()) for (const listener of [...this.#listeners]) listener();
  }

  followUp(incoming: Incoming): void {
    this.#followUp.push(incoming);
    this.#publish();
  }

  /** Holds all waiting messages until `resume`. */
  hold(): void {
    if (this.size === 0) return;
    this.#held.push(...this.#steering.splice(0), ...this.#followUp.splice(0));
    this.#publish();
  }

  /** Releases held messages: they run next, as follow-ups. */
  resume(): void {
    if (this.#held.length === 0) return;
    this.#followUp.unshift(...this.#held.splice(0));
    this.#publish();
  }

  /** Removes a message that the model has not read. Returns false if there is none with this id. */
  cancel(id: string): boolean {
    for (const list of [this.#steering, this.#followUp, this.#held]) {
      const at = list.findIndex(({ promptId }) => promptId === id);
      if (at < 0) continue;
      list.splice(at, 1);
      this.#publish();
      return true;
    }
    return false;
  }

  /** Delivered with the next request. A note does not start a run. */
  note(incoming: Incoming): void {
    this.#notes.push(incoming);
  }

  takeNotes(): Incoming[] {
    return this.#notes.splice(0);
  }

  takeSteering(): Incoming[] {
    return this.#take(this.#steering, this.steeringMode);
  }

  takeFollowUps(): Incoming[] {
    return this.#take(this.#followUp, this.followUpMode);
  }

  interrupts(): boolean {
    return this.interruptMode === "immediate" && this.#steering.length > 0;
  }

  onInterrupt(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): { steering: string[]; followUp: string[] } {
    const texts = this.#texts();
    this.#steering = [];
    this.#followUp = [];
    this.#held = [];
    if (texts.steering.length + texts.followUp.length > 0) this.#publish();
    return texts;
  }

  #take(from: Incoming[], mode: QueueMode): Incoming[] {
    const taken = from.splice(0, mode === "all" ? from.length : 1);
    if (taken.length > 0) this.#publish();
    return taken;
  }

  #texts(): { steering: string[]; followUp: string[] } {
    return { steering: this.#steering.map(textOf), followUp: [...this.#held, ...this.#followUp].map(textOf) };
  }

  #publish(): void {
    this.#emit({ type: "queue_update", ...this.#texts() });
  }
}

function textOf({ message }: Incoming): string {
  return message.role === "user" || message.role === "custom" ? plainText(message.content) : "";
}

export function plainText(content: string | readonly (TextBlock | ImageBlock)[]): string {
  if (typeof content === "string") return content;
  return content.map((each) => (each.type === "text" ? each.text : "")).join("");
}

/** A message of the user, with the id of its command. */
export function createUserMessage(text: string, { id, images }: { id?: string; images?: ImageBlock[] }): Incoming {
  const content = images && images.length > 0 ? [{ type: "text" as const, text }, ...images] : text;
  const message = { role: "user" as const, content, timestamp: Date.now() };
  return { message, ...(id === undefined ? {} : { promptId: id }) };
}

/** A message of a program. */
export function createCustomMessage({ customType, content, display = true, details }: CustomInput): Incoming {
  const shown = { display, ...(details === undefined ? {} : { details }) };
  return { message: { role: "custom", customType, content, ...shown, timestamp: Date.now() } };
}
