import { GantryError, type InputRequest } from "@gantry/protocol";
import { askEditor } from "../inputs/ask.ts";
import { type Api, callApi } from "./api.ts";
import type { EditorClient } from "./editor-client.ts";

/** Errors of an answer that came too late. */
const TOO_LATE: readonly string[] = ["already_answered", "no_such_input", "no_such_session"];

/**
 * The open dialogs of one session in one editor. Every client that follows the session is asked; the first answer wins, and the
 * dialogs of the others are closed.
 */
export class Dialogs {
  readonly #api: Api;
  readonly #editor: EditorClient;
  readonly #session: string;
  readonly #waiting = new Map<string, InputRequest>();
  readonly #open = new Map<string, AbortController>();
  #isLive = false;

  constructor(api: Api, editor: EditorClient, session: string) {
    this.#api = api;
    this.#editor = editor;
    this.#session = session;
  }

  /** The client knows the session: asks what waits, and from now on everything at once. */
  begin(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    for (const input of this.#waiting.values()) void this.#ask(input);
    this.#waiting.clear();
  }

  add(input: InputRequest): void {
    if (this.#isLive) void this.#ask(input);
    else this.#waiting.set(input.id, input);
  }

  /** The input was answered, here or elsewhere. */
  settle(id: string): void {
    this.#waiting.delete(id);
    this.#open.get(id)?.abort();
  }

  close(): void {
    this.#waiting.clear();
    for (const dialog of this.#open.values()) dialog.abort();
  }

  /** An editor that cannot ask, or whose user closes the dialog, leaves the input open for other clients. Never rejects. */
  async #ask(input: InputRequest): Promise<void> {
    const dialog = new AbortController();
    this.#open.set(input.id, dialog);
    try {
      const answer = await askEditor(this.#editor, this.#session, input, dialog.signal);
      if (answer && !dialog.signal.aborted) await callApi(this.#api, (client) => client.answer(input.id, answer));
    } catch (error) {
      if (dialog.signal.aborted || this.#api.signal.aborted) return;
      if (error instanceof GantryError && TOO_LATE.includes(error.code)) return;
      await this.#explain(input, error).catch(() => {});
    } finally {
      this.#open.delete(input.id);
    }
  }

  async #explain({ id, title }: InputRequest, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : "unknown error";
    this.#api.report(`${this.#session}: the editor did not answer ${id}: ${reason}`);
    const text = `This editor could not answer “${title}”. Answer it in Gantry's page or with \`gantry answer ${id}\`.`;
    await this.#editor.update(this.#session, {
      ...{ kind: "notice", id: `notice-${id}`, severity: "warning", text, durable: false },
    });
  }
}
