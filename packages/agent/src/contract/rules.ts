import type { Action } from "../permissions/action.ts";
import type { MessagePiece } from "./events.ts";
import type { UrlHandler } from "./tool.ts";

/** Rules that the model has to hear now. `text` goes into the conversation as a developer message. */
export type Injection = {
  text: string;
  /** What `ttsr_triggered` tells; the names are what a `ttsr_injection` entry keeps. */
  rules: { name: string; path: string }[];
};

/** As `Injection`, in the middle of an answer: the stream is to be aborted, the injection told, and the model asked anew. */
export type Intervention = Injection & {
  /** Whether what the model had said until then stays in the conversation. */
  keep: boolean;
};

/**
 * Watches what a model says, for one session. The loop calls `begin` before each request, `feed` with each piece of its
 * stream in order, and `end` when the message is over by itself (not after an intervention). Nothing here throws, waits
 * or keeps the loop for long, whatever stands in a rule.
 */
export interface StreamWatch {
  begin(): void;
  /** After an answer other than `undefined` the request is over for the watch: what is fed before `begin` is not looked at. */
  feed(piece: MessagePiece): Intervention | undefined;
  /** Rules that were broken and may not interrupt: told before the next request of the same run, if there is one. */
  end(): Injection | undefined;
}

/** A mistake in a rule file, to be shown to the user. */
export type RuleProblem = { file: string; line?: number; message: string };

/**
 * The rules of one session, as they were found at its start. The loop puts `system()` into the system text, calls
 * `touched` with the actions of each tool call that went well, and keeps the names of every injection and intervention
 * (`ttsr_injection`), which it gives to `restore` when it opens a session again.
 */
export interface Rules {
  /** Blocks of the system text: context files, rules that always apply, the list of the rulebook. */
  system(): readonly string[];
  readonly problems: readonly RuleProblem[];
  readonly watch: StreamWatch;
  /** Rules whose globs fit these files and instructions of their folders, each once in a session. */
  touched(actions: readonly Action[]): Injection | undefined;
  /** These have been told, and no others: for a session that is opened, begun or gone back in. */
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
