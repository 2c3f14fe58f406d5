/** What a text is asked for; it decides nothing but what is written to the daemon's log. */
export type ScribePurpose = "title" | "summary" | "lane-name" | "brief";

export type ScribeOptions = {
  /** The session that the text is about. A newer request for the same purpose of it takes the place of one that waits. */
  session?: string;
  /** A longer answer is no answer. */
  maxChars: number;
  /** Aborted when nobody wants the text any more. */
  signal?: AbortSignal;
};

/**
 * Writes short texts: a model is asked, which costs money and takes seconds. Everybody who asks has an answer of their
 * own already, made without a model, and asks in the background for a better one.
 */
export interface Scribe {
  /** Whether anyone is there to be asked now. With `false`, `ask` gives `undefined` at once. */
  readonly available: boolean;
  /**
   * The answer as plain text, trimmed and not empty; `undefined` for whatever reason there is none: nobody is there to be
   * asked, too many wait, it took too long, it was refused, it wanted something of a person. Never throws, and remembers
   * nothing from one question to the next. What comes back was said by a model: check it before it is used.
   */
  ask(purpose: ScribePurpose, prompt: string, options: ScribeOptions): Promise<string | undefined>;
}
