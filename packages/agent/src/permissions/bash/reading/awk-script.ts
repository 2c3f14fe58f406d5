/** Names that run commands, or read files that the call does not name. Refused anywhere, also in strings. */
const HARMFUL_NAME = /\b(system|getline|ARGV|ARGC|SYMTAB|FUNCTAB)\b/;
/** After these a slash begins a regular expression. */
const BEFORE_REGEX = /^(print|printf|return|in|if|while|for|do|else|case|exit|delete|switch)$/;
const CONTROL = /^(if|while|for|switch)$/;
const TOKEN =
  /("(?:[^"\\\n]|\\[\s\S])*")|(#[^\n]*)|([A-Za-z_]\w*)|(\d[\w.]*|\.\d+)|(\|\||&&|>=|<=|==|!=|\+\+|--|[-+*%^]=|>>)|([\s\S])/y;

/**
 * Whether an awk program only prints: no commands, pipes, redirections or further files. `>` is accepted only as a
 * comparison, in a statement without `print`. Where a slash could be both a division and the beginning of a regular
 * expression, the program is refused: the wrong choice would hide code in a string.
 */
export function isHarmlessAwk(program: string): boolean {
  return !HARMFUL_NAME.test(program) && new AwkReader(program).read();
}

class AwkReader {
  readonly #program: string;
  #at = 0;
  /** The statement has a `print`. */
  #prints = false;
  /** A slash here: a division after a value, a regular expression otherwise, undefined where it could be both. */
  #afterValue: boolean | undefined = false;
  /** For each open bracket, whether it belongs to a statement such as `if`. */
  readonly #brackets: boolean[] = [];
  #lastName = "";

  constructor(program: string) {
    this.#program = program;
  }

  read(): boolean {
    while (this.#at < this.#program.length) {
      if (this.#program[this.#at] === "/" && this.#afterValue !== true) {
        const end = this.#afterValue === undefined ? -1 : regexEnd(this.#program, this.#at);
        if (end < 0) return false;
        this.#at = end;
        this.#afterValue = true;
      } else if (!this.#token()) return false;
    }
    return true;
  }

  #token(): boolean {
    TOKEN.lastIndex = this.#at;
    const [token = "", text, comment, name, number, operator, char] = TOKEN.exec(this.#program) ?? [];
    if (token === "") return false;
    this.#at += token.length;
    if (comment !== undefined || (char !== undefined && /\s/.test(char))) return true;
    const before = this.#lastName;
    this.#lastName = name ?? "";
    if (name !== undefined) {
      if (name === "print" || name === "printf") this.#prints = true;
      this.#afterValue = !BEFORE_REGEX.test(name);
    } else if (text !== undefined || number !== undefined) this.#afterValue = true;
    else if (operator !== undefined) {
      if (operator === ">>" || (this.#prints && operator === ">=")) return false;
      this.#afterValue = operator === "++" || operator === "--" ? undefined : false;
    } else return this.#character(char ?? "", before);
    return true;
  }

  #character(char: string, before: string): boolean {
    if (/[|@`"'\\]/.test(char) || (char === ">" && this.#prints)) return false;
    if (";{}".includes(char)) this.#prints = false;
    if (char === "(") this.#brackets.push(CONTROL.test(before));
    if (char === ")") {
      this.#afterValue = !this.#brackets.pop();
      return true;
    }
    this.#afterValue = char === "]" ? true : char === "$" ? undefined : false;
    return true;
  }
}

function regexEnd(program: string, from: number): number {
  // A slash in brackets is read differently by different versions of awk.
  const found = /^\/(?:\[\^?\]?[^\]/\n\\]*\]|\\[^\n]|[^[/\n\\])*\//.exec(program.slice(from));
  return found ? from + found[0].length : -1;
}
