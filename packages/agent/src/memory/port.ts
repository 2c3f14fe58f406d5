import type { UrlHandler } from "../contract/tool.ts";

/** A question to a model. `role` names the model of the settings that is meant for it. */
export type MemoryQuestion = { role: "default" | "smol"; system: string; text: string };

/** Gives the model's whole answer. Rejects when there is none; the work is tried again later then. */
export type Ask = (question: MemoryQuestion, signal: AbortSignal) => Promise<string>;

/** `memories.*` of the settings. */
export type MemorySettings = {
  enabled: boolean;
  maxRolloutAgeDays: number;
  minRolloutIdleHours: number;
  maxRolloutsPerStartup: number;
  summaryInjectionTokenLimit: number;
  /** Extractions that a consolidation reads, the newest first. */
  maxRawMemories: number;
  concurrency: number;
  extractionLeaseMs: number;
  consolidationLeaseMs: number;
  heartbeatMs: number;
  retryDelayMs: number;
};

/** What one run did. */
export type MemoryRun = { extracted: number; consolidated: boolean; problems: string[] };

/**
 * What was learned in earlier sessions of a folder, kept in files (`MEMORY.md`, `memory_summary.md`, `skills/`). Where it is
 * not enabled nothing is read, asked or written, except by `clear`.
 */
export interface Memory {
  /** For the system text, or nothing. */
  prompt(): string | undefined;
  /** Extracts what old sessions hold, then puts it together. Safe beside other processes; stops when aborted; never rejects. */
  run(ask: Ask, signal: AbortSignal, options?: { activeSession?: string }): Promise<MemoryRun>;
  /** What `prompt` gives and which files there are, for people. */
  view(): string;
  /** Deletes everything that was kept for this folder. */
  clear(): Promise<void>;
  /** The next run puts everything together anew, though nothing has changed. */
  enqueue(): Promise<void>;
  /** `memory://root`, `memory://root/<file>`. */
  readonly urls: UrlHandler;
}
