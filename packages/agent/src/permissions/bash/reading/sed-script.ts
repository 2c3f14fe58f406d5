/**
 * Whether these sed scripts only print: none of them runs a command, or reads or writes a further file. Parses the scripts
 * command by command; anything that is not known to be harmless counts as harmful.
 */
export function isHarmlessSed(scripts: readonly string[]): boolean {
  const reader = new SedReader(scripts.join("\n"));
  return reader.read();
}

class SedReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): boolean {
    while (true) {
      this.#skip(/[\s;]*/y);
      if (this.#at >= this.#text.length) return true;
      if (!this.#command()) return false;
    }
  }

  #command(): boolean {
    if (!this.#addresses()) return false;
    this.#skip(/[ \t]*!?[ \t]*/y);
    const name = this.#text[this.#at++];
    if (name === undefined) return false;
    if ("{}pPdD=hHgGxnNFz".includes(name)) return true;
    if ("qQlL".includes(name)) return this.#skip(/[ \t]*\d*/y) && this.#atEnd();
    if (name === "#") return this.#skip(/[^\n]*/y);
    if (":btT".includes(name)) return this.#skip(/[ \t]*[\w.-]*[ \t]*/y) && this.#atEnd();
    if ("aic".includes(name)) return this.#appendedText();
    if (name === "y") return this.#delimited(2) && this.#atEnd();
    return name === "s" && this.#delimited(2) && this.#skip(/[gpiImM\d]*/y) && this.#atEnd();
  }

  /** GNU sed accepts the text on the same line. A backslash continues it on the next one. */
  #appendedText(): boolean {
    return this.#skip(/(?:[^\n\\]|\\[\s\S])*/y) && (this.#at >= this.#text.length || this.#text[this.#at] === "\n");
  }

  #addresses(): boolean {
    if (!this.#address()) return true;
    if (!this.#take(/[ \t]*,[ \t]*/y)) return true;
    return this.#take(/[+~]\d+/y) || this.#address();
  }

  #address(): boolean {
    if (this.#take(/\d+(?:~\d+)?|\$/y)) return true;
    if (this.#text[this.#at] === "/") return this.#delimited(1) && this.#skip(/[IM]*/y);
    return false;
  }

  /** Parts between delimiters: the next character is the delimiter. */
  #delimited(parts: number): boolean {
    const delimiter = this.#text[this.#at];
    if (delimiter === undefined || /[\s\\\w]/.test(delimiter)) return false;
    this.#at++;
    for (let part = 0; part < parts; part++) {
      let inBrackets = false;
      for (; ; this.#at++) {
        const char = this.#text[this.#at];
        if (char === undefined || char === "\n") return false;
        if (char === "\\") this.#at++;
        else if (char === delimiter) break;
        // A delimiter in brackets is read differently by different versions of sed.
        else if (char === "[" && part === 0) inBrackets = true;
        else if (char === "]") inBrackets = false;
      }
      if (inBrackets) return false;
      this.#at++;
    }
    return true;
  }

  #atEnd(): boolean {
    this.#skip(/[ \t]*/y);
    return this.#at >= this.#text.length || ";\n}#".includes(this.#text[this.#at]!);
  }

  #skip(pattern: RegExp): boolean {
    this.#take(pattern);
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return false;
    this.#at += found.length;
    return true;
  }
}
