/** When a dialog ends without an answer: after `timeoutMs`, or when `signal` is aborted. */
export type DialogOptions = { timeoutMs?: number; signal?: AbortSignal };

/**
 * What tools can show to the user besides their results. A dialog resolves to `undefined` (`confirm`: to `false`) if the
 * user cancels it, or at its timeout. No method throws or rejects. The other methods need no answer, and a user interface
 * may ignore them.
 */
export interface UserInterface {
  select(title: string, options: readonly string[], dialog?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, dialog?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, dialog?: DialogOptions): Promise<string | undefined>;
  /** A text with several lines. */
  editor(title: string, prefill?: string, dialog?: DialogOptions): Promise<string | undefined>;
  notify(message: string, level?: "info" | "warning" | "error"): void;
  /** A short text in the status line, one for each key. Without a text it is removed. */
  setStatus(key: string, text?: string): void;
  /** Lines above or below the editor, one block for each key. Without lines it is removed. */
  setWidget(key: string, lines?: readonly string[], placement?: "aboveEditor" | "belowEditor"): void;
  setTitle(title: string): void;
  setEditorText(text: string): void;
}
