import type { Action } from "../permissions/action.ts";
import type { MessagePiece } from "./events.ts";
import type { UrlHandler } from "./tool.ts";

/** Rules that the model must get now. `text` enters the conversation as a developer message. */
export type Injection = {
  text: string;
  /** Published with `ttsr_triggered`. The names are stored in a `ttsr_injection` entry. */
  rules: { name: string; path: string }[];
};

/** An injection in the middle of an answer: the loop aborts the stream, injects the text and asks the model again. */
export type Intervention = Injection & {
  /** Whether the partial answer stays in the conversation. */
  keep: boolean;
};

/**
 * Watches the model's stream, for one session. The loop calls `begin` before each request, `feed` with each piece in
 * order, and `end` when the message completes without an intervention. No method throws or blocks, whatever a rule
 * contains.
 */
export interface StreamWatch {
  begin(): void;
  /** After it returned an intervention, the watch ignores further pieces until the next `begin`. */
  feed(piece: MessagePiece): Intervention | undefined;
  /** Violated rules that may not interrupt. They are injected before the next request of the same run, if any. */
  end(): Injection | undefined;
}

/** An error in a rule file, shown to the user. */
export type RuleProblem = { file: string; line?: number; message: string };

/**
 * The rules of one session, read at its start. The loop puts `system()` into the system prompt, calls `injectFor` with
 * the actions of each successful tool call, and stores the names of every injection and intervention
 * (`ttsr_injection`). It passes those names to `restore` when it reopens the session.
 */
export interface Rules {
  /** Blocks of the system prompt: context files, rules that always apply, the list of the rulebook. */
  system(): readonly string[];
  readonly problems: readonly RuleProblem[];
  readonly watch: StreamWatch;
  /** Rules whose globs match these files, and the instructions of their folders. Each is injected once per session. */
  injectFor(actions: readonly Action[]): Injection | undefined;
  /** Sets the rules that were already injected. Called when a session is opened, started or rewound. */
  restore(injectedRules: readonly string[]): void;
  /** `rule://<name>`. */
  readonly urls: UrlHandler;
  list(): readonly RuleSummary[];
}

export type RuleSummary = {
  name: string;
  path: string;
  source: string;
  bucket: "stream" | "always" | "rulebook" | "globs";
  description?: string;
  globs?: string[];
};
