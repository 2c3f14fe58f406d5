import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PastTurn } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

/** The file below the home in which a fake agent logs its model requests, one per line. */
export const ASKED_FILE = join(".fake-agent", "asked.jsonl");

/** The conversation that a model would receive. Every request contains the whole history. */
export class AskedLog {
  readonly #file: string;
  readonly #messages: Json[] = [];

  constructor(home: string) {
    this.#file = join(home, ASKED_FILE);
    mkdirSync(dirname(this.#file), { recursive: true });
  }

  /** Resumes an earlier conversation. */
  restore(turns: readonly PastTurn[]): void {
    this.#messages.length = 0;
    for (const { prompt, reply } of turns) {
      this.#messages.push({ role: "user", content: prompt }, { role: "assistant", content: reply });
    }
  }

  /** Adds a message of the user, the model or a tool. */
  note(role: "user" | "assistant" | "tool", content: unknown): void {
    this.#messages.push({ role, content });
  }

  ask(model: string): void {
    appendFileSync(this.#file, `${JSON.stringify({ model, messages: this.#messages })}\n`);
  }
}
