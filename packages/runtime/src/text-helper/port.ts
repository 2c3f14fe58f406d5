/** The purpose of a request. It is used only in the log. */
export type TextPurpose = "title" | "summary" | "lane-name" | "brief";

export type TextRequest = {
  /** The session that the text is about. A newer request replaces a waiting one with the same session and purpose. */
  session?: string;
  /** Without a session: the agent that will do the work that the text is about. */
  agent?: string;
  /** A longer answer is discarded. */
  maxChars: number;
  /** Aborted when the text is no longer needed. */
  signal?: AbortSignal;
};

/**
 * Writes short texts with a model, which costs money and takes seconds. Callers have a fallback that needs no model and
 * call this in the background.
 */
export interface TextHelper {
  /** Whether any request is possible now. If not, `ask` returns `undefined` at once. */
  readonly available: boolean;
  /**
   * The answer as plain text, trimmed and not empty. `undefined` if there is none: no model is available, the queue is
   * full, the request timed out or was refused, or the agent asked a question. Never throws. Requests are independent of
   * each other. Secrets in the prompt are redacted. A model wrote the text, so validate it before use.
   */
  ask(purpose: TextPurpose, prompt: string, options: TextRequest): Promise<string | undefined>;
}
