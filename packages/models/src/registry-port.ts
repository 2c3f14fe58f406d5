import type { ProviderFailure } from "./messages.ts";
import type { Model, ThinkingLevel } from "./model.ts";
import type { Credential } from "./stream.ts";

/** A mistake in models.yml or config.yml: its position, and how to correct it. */
export type ConfigProblem = { file: string; line?: number; column?: number; path: string; message: string };

/** The model that a selector resolves to. `why` explains each step of the resolution to the user. */
export type Resolved = { model: Model; thinking?: ThinkingLevel; why: string[] };

/**
 * The known models. Built once per process from catalogue, files and cache, without network access; `refresh` queries
 * providers and notifies listeners of changes. Never throws because of file contents or provider responses: built-in
 * models stay available, and `problems` lists the errors.
 */
export interface ModelRegistry {
  all(): readonly Model[];
  /** Models that are enabled here and have a credential or need none. */
  available(): readonly Model[];
  find(provider: string, id: string): Model | undefined;
  /** Accepts `provider/id`, canonical id, bare id, role (`gantry/<role>`) or part of a name, each with optional `:level`. */
  resolve(selector: string): Resolved | undefined;
  /** The model to start with when none was chosen. */
  initial(options?: { selector?: string; scoped?: readonly string[]; resuming?: boolean }): Resolved | undefined;
  /** The supported level that is nearest to the requested one. */
  clamp(model: Model, level: ThinkingLevel): ThinkingLevel;
  levels(model: Model): readonly ThinkingLevel[];
  /** The larger model to switch to when the context does not fit. */
  promotion(model: Model): Model | undefined;
  canonical(model: Model): string;
  problems(): readonly ConfigProblem[];
  refresh(mode?: "online" | "offline" | "online-if-uncached", signal?: AbortSignal): Promise<void>;
  onChange(listener: () => void): () => void;
}

/**
 * Credentials by provider. Precedence: override of this run, stored key, stored login, environment, models.yml. With
 * several for a provider, a session stays with one as long as it works.
 */
export interface Credentials {
  /** Whether there is a credential. Reads memory only: no network access, no commands. */
  has(provider: string): boolean;
  /** The credential to use now; refreshes an expired login. `undefined`: there is none. */
  get(provider: string, options?: { sessionId?: string; signal?: AbortSignal }): Promise<Credential | undefined>;
  /** Reports the outcome of a request. After a rejection, the next `get` returns another credential that is ready. */
  report(provider: string, credential: Credential, outcome: "ok" | ProviderFailure): void;
  /** Only for this process. */
  override(provider: string, key: string): void;
}
