import type { UrlHandler } from "../contract/tool.ts";

/** A question to a model. `step` chooses the model. */
export type MemoryQuestion = { step: "extract" | "consolidate"; system: string; text: string };

/** Resolves with the model's whole answer. Rejects when there is none; the job is then retried later. */
export type Ask = (question: MemoryQuestion, signal: AbortSignal) => Promise<string>;

/** `memories.*` of the settings. */
export type MemorySettings = {
  enabled: boolean;
  maxRolloutAgeDays: number;
  minRolloutIdleHours: number;
  maxRolloutsPerStartup: number;
  summaryInjectionTokenLimit: number;
  /** How many extractions a consolidation reads, the newest first. */
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
 * Notes from earlier sessions of a folder, stored in files (`MEMORY.md`, `memory_summary.md`, `skills/`). When memory is
 * disabled, nothing is read, asked or written, except by `clear`.
 */
export interface Memory {
  /** Text for the system prompt, if there is any. */
  prompt(): string | undefined;
  /** Extracts notes from old sessions, then consolidates them. Safe to run in several processes; stops when aborted; never rejects. */
  run(ask: Ask, signal: AbortSignal, options?: { activeSession?: string }): Promise<MemoryRun>;
  /** The prompt text and the list of files, for people. */
  view(): string;
  /** Deletes all memory of this folder. */
  clear(): Promise<void>;
  /** Makes the next run consolidate even if nothing changed. False: memory is disabled. */
  enqueue(): Promise<boolean>;
  /** `memory://root`, `memory://root/<file>`. */
  readonly urls: UrlHandler;
}
