import type { TUI } from "@earendil-works/pi-tui";
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { Attachment } from "@gantry/protocol";
import type { PromptHistory } from "../input/prompt-history.ts";
import type { Theme } from "../text/theme.ts";
import { ImageChips } from "./attachments.ts";
import { type CompletionSources, createCompletion } from "./completion.ts";
import { selectListTheme } from "./themes.ts";

export type ComposerOptions = CompletionSources & {
  theme: Theme;
  /** The folder that relative paths of dropped images start from. */
  cwd: string;
  history?: PromptHistory;
  submit(text: string, attachments: Attachment[]): void;
};

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

/**
 * The input field of a conversation: several lines, history, `/` menu, `@` files, undo, and chips for long pasted texts and
 * for images. `text` has pasted texts in full.
 */
export class Composer extends Editor {
  readonly #chips = new ImageChips();
  readonly #cwd: string;

  constructor(tui: TUI, options: ComposerOptions) {
    const { theme, history, submit } = options;
    super(tui, { borderColor: theme.dim, selectList: selectListTheme(theme) }, { autocompleteMaxVisible: 8 });
    this.#cwd = options.cwd;
    this.setAutocompleteProvider(createCompletion(options));
    for (const text of history?.texts ?? []) this.addToHistory(text);
    this.onSubmit = (text) => {
      if (text.trim() === "") return;
      history?.add(text);
      this.addToHistory(text);
      submit(text, this.#chips.take(text));
    };
  }

  override handleInput(data: string): void {
    const pasted = PASTE.exec(data)?.[1];
    const chip = pasted === undefined ? undefined : this.#chips.fromPath(pasted, this.#cwd);
    if (chip) this.insertTextAtCursor(chip);
    else super.handleInput(data);
  }

  /** Adds an image, for example from the clipboard. */
  addImage(image: Attachment): void {
    this.insertTextAtCursor(this.#chips.add(image));
  }

  get text(): string {
    return this.getExpandedText();
  }

  get isEmpty(): boolean {
    return this.getText() === "";
  }
}
