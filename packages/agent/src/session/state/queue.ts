import type { ImageBlock, TextBlock } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import type { InterruptMode, QueueMode } from "../../contract/session.ts";
import type { Incoming, LoopQueue } from "../../loop/ports.ts";

/** Messages that wait for the model. Steering enters the current run; follow-ups come after it. */
export class MessageQueue implements LoopQueue {
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  interruptMode: InterruptMode;
  #steering: Incoming[] = [];
  #followUp: Incoming[] = [];
  #notes: Incoming[] = [];
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
    if (texts.steering.length + texts.followUp.length > 0) this.#publish();
    return texts;
  }

  #take(from: Incoming[], mode: QueueMode): Incoming[] {
    const taken = from.splice(0, mode === "all" ? from.length : 1);
    if (taken.length > 0) this.#publish();
    return taken;
  }

  #texts(): { steering: string[]; followUp: string[] } {
    return { steering: this.#steering.map(textOf), followUp: this.#followUp.map(textOf) };
  }

  #publish(): void {
    this.#emit({ type: "queue_update", ...this.#texts() });
  }
}

function textOf({ message }: Incoming): string {
  return message.role === "user" ? plainText(message.content) : "";
}

export function plainText(content: string | readonly (TextBlock | ImageBlock)[]): string {
  if (typeof content === "string") return content;
  return content.map((each) => (each.type === "text" ? each.text : "")).join("");
}
