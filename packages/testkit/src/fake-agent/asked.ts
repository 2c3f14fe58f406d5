import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PastTurn } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

/** Where a fake agent writes what its model would have been asked, below its home; one request a line. */
export const ASKED_FILE = join(".fake-agent", "asked.jsonl");

/** The conversation as a model would be told it. Every request holds all that was said before. */
export class AskedLog {
  readonly #file: string;
  readonly #messages: Json[] = [];

  constructor(home: string) {
    this.#file = join(home, ASKED_FILE);
    mkdirSync(dirname(this.#file), { recursive: true });
  }

  /** An earlier conversation goes on. */
  restore(turns: readonly PastTurn[]): void {
    this.#messages.length = 0;
    for (const { prompt, reply } of turns) {
      this.#messages.push({ role: "user", content: prompt }, { role: "assistant", content: reply });
    }
  }

  /** Something was said by a person, the model or a tool; `content` as it came. */
  note(role: "user" | "assistant" | "tool", content: unknown): void {
    this.#messages.push({ role, content });
  }

  ask(model: string): void {
    appendFileSync(this.#file, `${JSON.stringify({ model, messages: this.#messages })}\n`);
  }
}
