import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AgentRow, Problem } from "@gantry/protocol";
import { z } from "zod";
import type { ProbeOutcome } from "./probe-agent.ts";

/** What an agent said of itself, when, and of which program. */
export type Answer = { fingerprint: string; askedAt: number; outcome: ProbeOutcome };

const Outcome = z.object({
  state: z.enum(["ready", "broken", "unknown"]),
  probe: z.object({
    ok: z.boolean(),
    version: z.string().optional(),
    auth: AgentRow.shape.auth,
    models: AgentRow.shape.models.shape.items.optional(),
    problems: z.array(Problem),
    channel: z.string().optional(),
  }),
});
const File = z.object({
  v: z.literal(1),
  answers: z.record(z.string(), z.object({ fingerprint: z.string(), askedAt: z.number(), outcome: Outcome })),
});

/**
 * The last answer of every agent, kept in a file, so that a daemon that has just started knows what the one before it
 * knew. Whoever reads decides whether an answer is too old. A file that cannot be read is as good as none, and one that
 * cannot be written costs no more than asking again: nothing here throws.
 */
export class KeptAnswers {
  readonly #path: string;
  #answers: Map<string, Answer> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The answer of the program with this fingerprint. */
  get(id: string, fingerprint: string): Answer | undefined {
    const answer = this.#all().get(id);
    return answer?.fingerprint === fingerprint ? answer : undefined;
  }

  put(id: string, answer: Answer): void {
    this.#all().set(id, answer);
    this.#write();
  }

  #all(): Map<string, Answer> {
    this.#answers ??= new Map(Object.entries(this.#read()));
    return this.#answers;
  }

  #read(): Record<string, Answer> {
    try {
      return File.parse(JSON.parse(readFileSync(this.#path, "utf8"))).answers;
    } catch {
      return {};
    }
  }

  #write(): void {
    const text = JSON.stringify({ v: 1, answers: Object.fromEntries(this.#all()) });
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileSync(`${this.#path}.next`, text, { mode: 0o600 });
      renameSync(`${this.#path}.next`, this.#path);
    } catch {
      // It stays known as long as this process lives.
    }
  }
}
