/** The input text with its cursor and history. Pure state: it does not draw. */
export class EditBuffer {
  text = "";
  cursor = 0;
  #history: string[];
  #at: number;
  #draft = "";

  /** `history`: earlier prompts, oldest first. */
  constructor(history: readonly string[] = []) {
    this.#history = [...history];
    this.#at = this.#history.length;
  }

  /** The line of the cursor. */
  get line(): string {
    return this.text.slice(this.#lineStart(), this.#lineEnd());
  }

  insert(text: string): void {
    this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
    this.cursor += text.length;
  }

  set(text: string): void {
    this.text = text;
    this.cursor = text.length;
  }

  /** Returns the text and clears the editor. `forget`: the text does not enter the history. */
  submit(forget = false): string {
    const { text } = this;
    if (!forget && text.trim() !== "" && this.#history.at(-1) !== text) this.#history.push(text);
    this.#at = this.#history.length;
    this.set("");
    return text;
  }

  /** Performs an editing action of a key bindings file, such as `tui.editor.cursorLeft`. Returns false for other actions. */
  act(action: string): boolean {
    switch (action) {
      case "tui.input.newLine":
        this.insert("\n");
        break;
      case "tui.editor.cursorLeft":
        this.cursor -= this.#clusterBefore().length;
        break;
      case "tui.editor.cursorRight":
        this.cursor += this.#clusterAfter().length;
        break;
      case "tui.editor.cursorWordLeft":
        this.cursor = this.#wordStart();
        break;
      case "tui.editor.cursorWordRight":
        this.cursor += /^\s*\S*/.exec(this.text.slice(this.cursor))?.[0].length ?? 0;
        break;
      case "tui.editor.cursorLineStart":
        this.cursor = this.#lineStart();
        break;
      case "tui.editor.cursorLineEnd":
        this.cursor = this.#lineEnd();
        break;
      case "tui.editor.cursorUp":
        if (!this.#toLine(-1)) this.#recall(-1);
        break;
      case "tui.editor.cursorDown":
        if (!this.#toLine(1)) this.#recall(1);
        break;
      default:
        return this.#delete(action);
    }
    return true;
  }

  #delete(action: string): boolean {
    const { cursor } = this;
    switch (action) {
      case "tui.editor.deleteCharBackward":
        this.#cut(cursor - this.#clusterBefore().length, cursor);
        return true;
      case "tui.editor.deleteCharForward":
        this.#cut(cursor, cursor + this.#clusterAfter().length);
        return true;
      case "tui.editor.deleteWordBackward":
        this.#cut(this.#wordStart(), cursor);
        return true;
      case "tui.editor.deleteToLineStart":
        this.#cut(this.#lineStart(), cursor);
        return true;
      case "tui.editor.deleteToLineEnd":
        this.#cut(cursor, this.#lineEnd());
        return true;
      default:
        return false;
    }
  }

  #cut(from: number, to: number): void {
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
  }

  /** The grapheme cluster before the cursor. */
  #clusterBefore(): string {
    return [...new Intl.Segmenter().segment(this.text.slice(0, this.cursor))].at(-1)?.segment ?? "";
  }

  #clusterAfter(): string {
    return [...new Intl.Segmenter().segment(this.text.slice(this.cursor))].at(0)?.segment ?? "";
  }

  #wordStart(): number {
    return this.text.slice(0, this.cursor).replace(/\S*\s*$/, "").length;
  }

  #lineStart(): number {
    return this.text.lastIndexOf("\n", this.cursor - 1) + 1;
  }

  #lineEnd(): number {
    const end = this.text.indexOf("\n", this.cursor);
    return end < 0 ? this.text.length : end;
  }

  /** Moves to the same column of the line above or below. Returns false if there is none. */
  #toLine(by: -1 | 1): boolean {
    const start = this.#lineStart();
    const column = this.cursor - start;
    const end = this.#lineEnd();
    if (by < 0 ? start === 0 : end === this.text.length) return false;
    this.cursor = by < 0 ? start - 1 : end + 1;
    this.cursor = Math.min(this.#lineStart() + column, this.#lineEnd());
    return true;
  }

  #recall(by: number): void {
    const to = this.#at + by;
    if (to < 0 || to > this.#history.length) return;
    if (this.#at === this.#history.length) this.#draft = this.text;
    this.#at = to;
    this.set(this.#history[to] ?? this.#draft);
  }
}
