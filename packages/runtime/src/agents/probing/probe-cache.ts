import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AgentRow, Problem } from "@gantry/protocol";
import { z } from "zod";
import type { ProbeOutcome } from "./probe-agent.ts";

/** A probe result, when it was taken, and the fingerprint of the probed program. */
export type CachedProbe = { fingerprint: string; askedAt: number; outcome: ProbeOutcome };

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
 * The last probe result of every agent, stored in a file so that a new daemon starts with the results of the previous
 * one. The caller decides what is too old. An unreadable file counts as empty and a failed write only costs another
 * probe, so nothing here throws.
 */
export class ProbeCache {
  readonly #path: string;
  #answers: Map<string, CachedProbe> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The result for the program with this fingerprint. */
  get(id: string, fingerprint: string): CachedProbe | undefined {
    const answer = this.#all().get(id);
    return answer?.fingerprint === fingerprint ? answer : undefined;
  }

  /** The channel of the last result, whichever program it is of. */
  channelOf(id: string): string | undefined {
    return this.#all().get(id)?.outcome.probe.channel;
  }

  put(id: string, answer: CachedProbe): void {
    this.#all().set(id, answer);
    this.#write();
  }

  #all(): Map<string, CachedProbe> {
    this.#answers ??= new Map(Object.entries(this.#read()));
    return this.#answers;
  }

  #read(): Record<string, CachedProbe> {
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
      // The result stays cached in this process.
    }
  }
}
