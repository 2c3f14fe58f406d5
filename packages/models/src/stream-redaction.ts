const REDACTED = "[secret]";
/** A shorter start of a secret reveals nothing and occurs by chance, so it is not held back. */
const START = 4;
/** A start of this length does not occur by chance. It is redacted at the end of a text. */
const LONG_START = 12;

/** Secrets that are recognised by their form: a prefix of four characters and a fixed number of characters of Base64url. */
export type TokenForm = { prefix: string; length: number };

/** What may be published of a piece, and what is held back because it may be the start of a secret. */
export type RedactedPiece = { text: string; held: string };

/**
 * Redacts secrets in texts that arrive in pieces. Has no state: the caller stores the published text and what was held
 * back. Only a suffix that is a proper prefix of a secret is held back, until the next piece or the end of the text. A piece
 * without the start of a secret is returned unchanged, after one search and without a copy.
 */
export class StreamRedaction {
  readonly #secrets: readonly string[];
  readonly #forms: readonly TokenForm[];
  readonly #starts: RegExp;

  constructor(secrets: readonly string[], forms: readonly TokenForm[] = []) {
    this.#secrets = secrets.filter(({ length }) => length > START);
    this.#forms = forms;
    const starts = [...forms.map(({ prefix }) => prefix), ...this.#secrets].map((text) => text.slice(0, START));
    this.#starts = new RegExp(starts.length === 0 ? "(?!)" : [...new Set(starts)].map(escapePattern).join("|"));
  }

  /** Whether the text contains the start of a secret. `false`: it contains no secret. */
  mayContain(text: string): boolean {
    return this.#starts.test(text);
  }

  /**
   * `published` is the text before this piece, of which the end is enough. Of a secret whose first characters are published
   * the rest is redacted.
   */
  push(published: string, held: string, piece: string): RedactedPiece {
    const before = published.slice(1 - START);
    if (held === "" && !this.mayContain(piece) && !this.mayContain(before + piece.slice(0, START - 1)))
      return { text: piece, held: "" };
    const whole = before + held + piece;
    const starts = new RegExp(this.#starts, "g");
    let text = "";
    let done = before.length;
    for (let found = starts.exec(whole); found; found = starts.exec(whole)) {
      const { index } = found;
      const end = this.#endOf(whole, index);
      if (end === "open") {
        const cut = Math.max(index, done);
        return { text: text + whole.slice(done, cut), held: whole.slice(cut) };
      }
      // Starts may overlap, so the search continues with the next character.
      starts.lastIndex = end ?? index + 1;
      if (end === undefined || end <= done) continue;
      text += whole.slice(done, Math.max(index, done)) + REDACTED;
      done = end;
    }
    return { text: text + whole.slice(done), held: "" };
  }

  /** The text is complete: what can be published of the part that was held back. */
  end(published: string, held: string): string {
    const before = published.slice(1 - START);
    const starts = [0, 1, 2, 3].map((from) => before.slice(from) + held);
    const isSecret = (start: string) =>
      start.length >= LONG_START && this.#secrets.some((secret) => secret.startsWith(start));
    return held !== "" && starts.some(isSecret) ? REDACTED : held;
  }

  /** Where the secret ends that starts here. `open`: the text ends first. */
  #endOf(text: string, at: number): number | "open" | undefined {
    let end: number | undefined;
    for (const secret of this.#secrets) {
      if (text.startsWith(secret, at)) end = Math.max(end ?? 0, at + secret.length);
      else if (text.length - at < secret.length && secret.startsWith(text.slice(at))) return "open";
    }
    for (const { prefix, length } of this.#forms) {
      if (!text.startsWith(prefix, at)) continue;
      const body = /[A-Za-z0-9_-]*/y;
      body.lastIndex = at + prefix.length;
      const found = body.exec(text)?.[0].length ?? 0;
      if (found >= length) end = Math.max(end ?? 0, at + prefix.length + length);
      else if (at + prefix.length + found === text.length) return "open";
    }
    return end;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
