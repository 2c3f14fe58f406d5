import { normalizeChord, type PromptHistory, type Theme } from "@gantry/terminal";
import {
  type CompletionSources,
  type Component,
  Composer,
  isKeyRelease,
  KeybindingsManager,
  type KeyId,
  ProcessTerminal,
  parseKey,
  ScrollbackScreen,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@gantry/terminal/toolkit";
import { ACTIONS, type ActionId, type Bindings } from "./typing/bindings.ts";

/** An image in the field. */
export type Attachment = Parameters<Composer["addImage"]>[0];

/** A key: the text that it types, or its chord. A paste is one text. */
export type Key = { text: string } | { chord: string };

export type ScreenOptions = CompletionSources & {
  theme: Theme;
  cwd: string;
  history: PromptHistory;
  bindings: Bindings;
  submit(text: string, attachments: Attachment[]): void;
  /** Handles a key before the input field. Returns whether it used it. */
  press(key: Key): boolean;
  /** The rows around the field. `height`: the rows that are free for them. */
  above(width: number, height: number): string[];
  below(width: number): string[];
  /** A question or a menu takes the place of the field. */
  isFieldHidden(): boolean;
};

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

/** Keys as tmux sends them, which the toolkit does not name. */
const TMUX_KEYS: Record<string, string> = { "\x1b[1~": "home", "\x1b[4~": "end" };

/** The screen of the agent: live rows, the input field and the status line below a transcript that is written once. */
export class AgentScreen {
  readonly #screen = new ScrollbackScreen(new ProcessTerminal());
  readonly #composer: Composer;
  readonly #options: ScreenOptions;

  constructor(options: ScreenOptions) {
    this.#options = options;
    setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, editorKeys(options.bindings)));
    this.#composer = new Composer(this.#screen, options);
    const field = () => (options.isFieldHidden() ? [] : this.#composer.render(this.#width));
    this.#screen.addChild(rowsOf((width) => options.above(width, this.#freeRows(field().length))));
    this.#screen.addChild(rowsOf(field));
    this.#screen.addChild(rowsOf(options.below));
    this.#screen.setFocus(this.#composer);
    this.#screen.addInputListener((data) => (this.#read(data) ? { consume: true } : undefined));
  }

  get columns(): number {
    return this.#screen.columns;
  }

  /** The typed text, with pasted texts in full. */
  get text(): string {
    return this.#composer.text;
  }

  set text(text: string) {
    this.#composer.setText(text);
    this.draw();
  }

  /** The line of the cursor. */
  get line(): string {
    return this.#composer.getLines()[this.#composer.getCursor().line] ?? "";
  }

  get isMenuOpen(): boolean {
    return this.#composer.isShowingAutocomplete();
  }

  insert(text: string): void {
    this.#composer.insertTextAtCursor(text);
    this.draw();
  }

  addImage(image: Attachment): void {
    this.#composer.addImage(image);
    this.draw();
  }

  /** Submits the field as the enter key does. */
  submit(): void {
    this.#composer.handleInput("\r");
  }

  start(): void {
    this.#screen.start();
  }

  stop(): void {
    this.#screen.stop();
  }

  pause(): void {
    this.#screen.pause();
  }

  resume(): void {
    this.#screen.resume();
  }

  commit(rows: readonly string[]): void {
    this.#screen.commit(rows);
  }

  draw(): void {
    this.#screen.requestRender();
  }

  get #width(): number {
    return Math.max(20, this.#screen.columns - 1);
  }

  #freeRows(used: number): number {
    return Math.max(4, this.#screen.rows - used - this.#options.below(this.#width).length - 2);
  }

  #read(data: string): boolean {
    if (isKeyRelease(data)) return true;
    const pasted = PASTE.exec(data)?.[1];
    const name = parseKey(data) ?? TMUX_KEYS[data];
    const isText = pasted !== undefined || (data >= " " && data !== "\x7f" && !data.startsWith("\x1b"));
    const key = isText ? { text: pasted ?? data } : { chord: name === undefined ? "" : normalizeChord(name) };
    const isUsed = this.#options.press(key);
    if (isUsed) this.draw();
    return isUsed;
  }
}

/** The user's chords of the actions of the field. */
function editorKeys(bindings: Bindings): Record<string, KeyId[]> {
  const actions = (Object.keys(ACTIONS) as ActionId[]).filter((action) => action.startsWith("tui."));
  return Object.fromEntries(
    actions.map((action) => [
      action,
      bindings.chordsOf(action).map((chord) => chord.replace(/\besc$/, "escape") as KeyId),
    ]),
  );
}

function rowsOf(rows: (width: number) => readonly string[]): Component {
  return { render: (width) => [...rows(width)], invalidate: () => {} };
}
