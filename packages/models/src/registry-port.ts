import type { ProviderFailure } from "./messages.ts";
import type { Model, ThinkingLevel } from "./model.ts";
import type { Credential } from "./stream.ts";

/** A mistake in models.yml or config.yml: where, what, and what to write instead. */
export type ConfigProblem = { file: string; line?: number; column?: number; path: string; message: string };

/** What a selector means. `why` has a line for each step that decided, in words for people. */
export type Resolved = { model: Model; thinking?: ThinkingLevel; why: string[] };

/**
 * Which models there are. Made once per process from catalogue, files and cache, without waiting for the network;
 * `refresh` asks providers and tells listeners when something changed. Nothing here throws for what stands in a file or
 * comes from a provider: built-in models stay, and `problems` says what is wrong.
 */
export interface ModelRegistry {
  all(): readonly Model[];
  /** Those that are enabled here and have a credential, or need none. */
  available(): readonly Model[];
  find(provider: string, id: string): Model | undefined;
  /** `provider/id`, canonical id, bare id, role (`gantry/<role>`), part of a name; each with `:level` if wanted. */
  resolve(selector: string): Resolved | undefined;
  /** The model to begin with where nobody has chosen. */
  initial(options?: { selector?: string; scoped?: readonly string[]; resuming?: boolean }): Resolved | undefined;
  /** The level that the model really gets. */
  clamp(model: Model, level: ThinkingLevel): ThinkingLevel;
  levels(model: Model): readonly ThinkingLevel[];
  /** The larger model to go to when the context does not fit, or none. */
  promotion(model: Model): Model | undefined;
  canonical(model: Model): string;
  problems(): readonly ConfigProblem[];
  refresh(mode?: "online" | "offline" | "online-if-uncached", signal?: AbortSignal): Promise<void>;
  onChange(listener: () => void): () => void;
}

/**
 * Who may ask which provider. Order: override of this run, stored key, stored login, environment, models.yml.
 * With several for a provider a session stays with one as long as it works.
 */
export interface Credentials {
  /** Is there one? Answers from memory, without the network and without running a command. */
  has(provider: string): boolean;
  /** The one to use now, a login refreshed if it has run out. `undefined`: there is none; say how to get one. */
  get(provider: string, options?: { sessionId?: string; signal?: AbortSignal }): Promise<Credential | undefined>;
  /** What came of it. After a refusal the next `get` gives another one, if there is one that does not rest. */
  report(provider: string, credential: Credential, outcome: "ok" | ProviderFailure): void;
  /** Only for this process. */
  override(provider: string, key: string): void;
}
