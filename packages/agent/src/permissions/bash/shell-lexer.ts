import { DEEPEST, decodeAnsi, findClosing, isArithmetic } from "./lexer-text.ts";

/** A shell word without its quotes. A command substitution is the character `SUBSTITUTION` in `text`. */
export type Word = {
  text: string;
  /** The shell expands something in it that is unknown here. */
  dynamic: boolean;
  /** An expansion outside double quotes: the result may be several tokens, or none. */
  splits: boolean;
  glob: boolean;
  /** It has a brace expansion, such as `{a,b}`. */
  braces: boolean;
  quoted: boolean;
  /** The number of characters before the first quote or expansion. */
  bare: number;
  scripts: string[];
};
/** Control characters do not occur in a parsed command, so this one is unambiguous. */
export const SUBSTITUTION = "\u0001";
export type Redirect = { op: string; target: Word };
/** One simple command. `piped`: it reads the output of the one before it. `defines`: it begins a function. */
export type Simple = {
  argv: Word[];
  redirects: Redirect[];
  heredocs: string[];
  /** The substitutions in its here-documents. */
  heredocScripts: string[];
  piped: boolean;
  defines: boolean;
  /** It runs in any case, in this shell: no condition, loop, pipe, subshell or background job is around it. */
  always: boolean;
};
/** `broken`: the text ends inside quotes or brackets, so the result is not reliable. */
export type Parsed = { commands: Simple[]; scripts: string[]; broken: boolean };

/** Longer operators first. */
const OPERATORS = "&>> <<< <<- ;;& <> >> >| >& <& &> << && || |& ;; ;& ; | & ( ) < >".split(" ").concat("\n");
const REDIRECTS = new Set(["&>>", "<<<", "<<-", "<>", ">>", ">|", ">&", "<&", "&>", "<<", "<", ">"]);

/**
 * Splits a bash text into simple commands, as far as that is possible without running it. The commands in `$()`,
 * backticks and `<()` are returned as `scripts`, to be read by the same function. Never throws.
 */
export function lex(source: string): Parsed {
  // Bash drops NUL bytes, and treats other control characters as text where this lexer would see a separator.
  if (CONTROL.test(source)) return { commands: [], scripts: [], broken: true };
  const lexer = new Lexer(source);
  lexer.read();
  return { commands: lexer.commands, scripts: lexer.scripts, broken: lexer.broken };
}

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

function emptyWord(): Word {
  return {
    text: "",
    dynamic: false,
    splits: false,
    glob: false,
    braces: false,
    quoted: false,
    bare: Number.POSITIVE_INFINITY,
    scripts: [],
  };
}

/** A word of literal text. */
export function literalWord(text: string): Word {
  return { ...emptyWord(), text };
}

class Lexer {
  readonly commands: Simple[] = [];
  readonly scripts: string[] = [];
  broken = false;
  #at = 0;
  readonly #source: string;
  #current: Simple = newSimple(false);
  #word: Word | undefined;
  #redirect: string | undefined;
  #depth = 0;
  /** Open braces of the current word. */
  #braces = 0;
  #waiting: { delimiter: Word; dash: boolean; command: Simple }[] = [];

  /** Open `if`, loops and groups. `#conditional`: the current command runs only after the success or failure of another. */
  #compounds = 0;
  #conditional = false;
  readonly #nesting: number;

  constructor(source: string, nesting = 0) {
    this.#source = source;
    this.#nesting = nesting;
  }

  read(): void {
    while (this.#at < this.#source.length) this.#step();
    this.#endCommand(false);
    if (this.#waiting.length > 0) this.broken = true;
  }

  /** For texts that are not commands but may contain some, like the body of a heredoc. */
  readText(): void {
    const word = emptyWord();
    while (this.#at < this.#source.length) this.#readExpandable(word, this.#source[this.#at]!);
  }

  #step(): void {
    const char = this.#source[this.#at]!;
    if (char === " " || char === "\t") {
      this.#endWord();
      this.#at++;
      return;
    }
    if (char === "#" && this.#word === undefined) return this.#skipComment();
    if (this.#processSubstitution(char)) return;
    const operator = OPERATORS.find((candidate) => this.#source.startsWith(candidate, this.#at));
    if (operator) return this.#operator(operator);
    this.#wordPart(char);
  }

  #skipComment(): void {
    const end = this.#source.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#source.length : end;
  }

  #processSubstitution(char: string): boolean {
    if ((char !== "<" && char !== ">") || this.#source[this.#at + 1] !== "(") return false;
    this.#at += 2;
    const word = this.#open();
    word.text += "/dev/fd/63";
    endBare(word);
    const script = this.#readUntil(")");
    word.scripts.push(script);
    this.scripts.push(script);
    return true;
  }

  #operator(operator: string): void {
    const before = this.#word;
    this.#at += operator.length;
    if (REDIRECTS.has(operator)) {
      // `2>`: the number belongs to the redirect.
      if (before && !before.quoted && /^\d+$/.test(before.text)) this.#word = undefined;
      // A file that is open for reading there could be written through `/dev/stderr`, and `{x}<` sets a variable.
      if (before && (/^\{.*\}$/.test(before.text) || (/^0*[12]$/.test(before.text) && operator.startsWith("<"))))
        this.broken = true;
      this.#endWord();
      this.#redirect = operator;
      return;
    }
    this.#endWord();
    if (operator === "(" && this.#current.argv.length > 0) this.#current.defines = true;
    this.#endCommand(operator === "|" || operator === "|&", operator === "&");
    if (operator === "(") this.#depth++;
    // Closes something that did not open as a bracket: a pattern of `case`, or a `$(…)` that ended too early.
    if (operator === ")" && --this.#depth < 0) this.broken = true;
    this.#conditional = operator === "&&" || operator === "||";
    if (operator === "\n") this.#readHeredocs();
  }

  #wordPart(char: string): void {
    const word = this.#open();
    if (char === "\\") {
      const next = this.#source[this.#at + 1];
      if (next !== "\n") word.text += next ?? "";
      if (next === undefined) this.broken = true;
      if (next !== "\n") markQuoted(word, 1);
      this.#at += 2;
      // A continued line adds nothing, not even an empty word.
      if (next === "\n" && word.text === "" && word.scripts.length === 0) this.#word = undefined;
      return;
    }
    if (char === "'") return this.#readSingleQuotes(word);
    if (char === '"') return this.#readDoubleQuotes(word);
    if (char === "`") return this.#backtick(word, false);
    if (char === "$") return this.#dollar(word, false);
    if (char === "*" || char === "?" || char === "[") word.glob = true;
    if (char === "{") this.#braces++;
    if (char === "}") this.#braces--;
    if (this.#braces > 0 && (char === "," || this.#source.startsWith("..", this.#at))) word.braces = true;
    word.text += char;
    this.#at++;
  }

  #readSingleQuotes(word: Word): void {
    const end = this.#source.indexOf("'", this.#at + 1);
    if (end < 0) this.broken = true;
    markQuoted(word, 0);
    word.text += this.#source.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 1;
  }

  #readDoubleQuotes(word: Word): void {
    markQuoted(word, 0);
    this.#at++;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at]!;
      if (char === '"') {
        this.#at++;
        return;
      }
      this.#readExpandable(word, char);
    }
    this.broken = true;
  }

  /** Reads one character of a text in which only `$`, backticks and some backslashes are special. */
  #readExpandable(word: Word, char: string): void {
    if (char === "\\") {
      const next = this.#source[this.#at + 1] ?? "";
      if (next !== "\n") word.text += '"$`\\'.includes(next) ? next : `\\${next}`;
      this.#at += 2;
    } else if (char === "`") this.#backtick(word, true);
    else if (char === "$") this.#dollar(word, true);
    else {
      word.text += char;
      this.#at++;
    }
  }

  #backtick(word: Word, inDouble: boolean): void {
    let script = "";
    for (this.#at++; this.#at < this.#source.length && this.#source[this.#at] !== "`"; this.#at++) {
      const next = this.#source[this.#at + 1] ?? "";
      if (this.#source[this.#at] === "\\" && "`\\$".includes(next)) this.#at++;
      script += this.#source[this.#at] ?? "";
    }
    if (this.#at >= this.#source.length) this.broken = true;
    this.#at++;
    markDynamic(word, inDouble);
    this.#addScript(word, script);
  }

  #dollar(word: Word, inDouble: boolean): void {
    const next = this.#source[this.#at + 1] ?? "";
    if (next === "'" && !inDouble) return this.#ansi(word);
    if (next === '"' && !inDouble) {
      this.#at++;
      return;
    }
    if (next === "(") return this.#dollarParen(word, inDouble);
    // The old form of `$((…))`.
    if (next === "[") this.broken = true;
    if (next === "{") {
      this.#at += 2;
      const inner = this.#readUntil("}");
      markDynamic(word, inDouble);
      word.text += `\${${inner}}`;
      if (inDouble && inner.includes("'")) this.broken = true; // Whether it is special depends on the operator.
      // Prompts, subscripts and offsets are evaluated, so the value of a variable may run a command there.
      // `${x=y}` sets a variable.
      if (/@[A-Za-z]$|^!|\[(?!\d+\]|[@*]\])|^\w+:(?![-+?])[^}]*[A-Za-z$]|^\w+:?=/.test(inner)) this.broken = true;
      this.#readSubstitutions(word, inner);
      return;
    }
    const name = /^\$(\w+|[@*#?$!-])/.exec(this.#source.slice(this.#at, this.#at + 200))?.[0] ?? "$";
    if (name.length > 1) markDynamic(word, inDouble);
    word.text += name;
    this.#at += name.length;
  }

  #dollarParen(word: Word, inDouble: boolean): void {
    markDynamic(word, inDouble);
    this.#at += 2;
    const inner = this.#readUntil(")");
    if (isArithmetic(inner)) {
      // The value of a name or an argument in it may be a subscript with a command.
      if (/[A-Za-z_$`]/.test(inner.replace(/\$[?#]/g, ""))) this.broken = true;
      // Only digits and operators: the result is one number.
      else word.text += "0";
      return this.#readSubstitutions(word, inner);
    }
    this.#addScript(word, inner);
  }

  /** `$'…'` is decoded: `$'\x72m'` is the name `rm`. */
  #ansi(word: Word): void {
    markQuoted(word, 0);
    let raw = "";
    for (this.#at += 2; this.#at < this.#source.length && this.#source[this.#at] !== "'"; this.#at++) {
      if (this.#source[this.#at] === "\\") raw += this.#source[this.#at++];
      raw += this.#source[this.#at] ?? "";
    }
    if (this.#at >= this.#source.length) this.broken = true;
    this.#at++;
    const text = decodeAnsi(raw);
    // Bash ends the text at a NUL.
    if (text.includes("\0") || text.includes(SUBSTITUTION)) this.broken = true;
    word.text += text;
  }

  /** The substitutions in a text that is not itself a command. */
  #readSubstitutions(word: Word, text: string): void {
    if (this.#nesting > DEEPEST) {
      this.broken = true;
      return;
    }
    const inner = new Lexer(text, this.#nesting + 1);
    inner.readText();
    for (const script of inner.scripts) this.#addScript(word, script);
    if (inner.broken) this.broken = true;
  }

  #addScript(word: Word, script: string): void {
    word.text += SUBSTITUTION;
    word.scripts.push(script);
    this.scripts.push(script);
  }

  /** Reads to the matching closing bracket, past quotes and nested brackets. */
  #readUntil(close: ")" | "}"): string {
    const start = this.#at;
    const end = findClosing(this.#source, start, close);
    if (end < 0) this.broken = true;
    this.#at = end < 0 ? this.#source.length : end + 1;
    return this.#source.slice(start, end < 0 ? undefined : end);
  }

  #open(): Word {
    this.#word ??= emptyWord();
    return this.#word;
  }

  #endWord(): void {
    const word = this.#word;
    this.#braces = 0;
    if (!word) return;
    this.#word = undefined;
    const op = this.#redirect;
    if (op === undefined) {
      this.#current.argv.push(word);
      return;
    }
    this.#redirect = undefined;
    this.#current.redirects.push({ op, target: word });
    if (op === "<<" || op === "<<-") {
      this.#waiting.push({ delimiter: word, dash: op === "<<-", command: this.#current });
    }
  }

  #endCommand(pipes: boolean, background = false): void {
    this.#endWord();
    if (this.#redirect !== undefined) this.broken = true;
    this.#redirect = undefined;
    const { argv, redirects, defines, piped } = this.#current;
    const keyword = argv[0] && !argv[0].quoted ? argv[0].text : "";
    if (/^(if|while|until|for|select|case|\{)$/.test(keyword)) this.#compounds++;
    this.#current.always =
      this.#compounds === 0 && this.#depth === 0 && !this.#conditional && !piped && !pipes && !background;
    if (/^(fi|done|esac|\})$/.test(keyword)) this.#compounds--;
    if (argv.length > 0 || redirects.length > 0 || defines) this.commands.push(this.#current);
    this.#current = newSimple(pipes);
  }

  #readHeredocs(): void {
    for (const { delimiter, dash, command } of this.#waiting.splice(0)) {
      const lines: string[] = [];
      for (let found = false; !found; ) {
        if (this.#at >= this.#source.length) {
          this.broken = true;
          break;
        }
        const end = this.#source.indexOf("\n", this.#at);
        const line = this.#source.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#source.length : end + 1;
        found = (dash ? line.replace(/^\t+/, "") : line) === delimiter.text;
        if (!found) lines.push(line);
        // Bash joins such a line with the next one before it looks for the delimiter.
        if (!delimiter.quoted && /(^|[^\\])(\\\\)*\\$/.test(line)) this.broken = true;
      }
      const body = lines.join("\n");
      command.heredocs.push(body);
      if (delimiter.quoted) continue;
      const expanded = emptyWord();
      this.#readSubstitutions(expanded, body);
      command.heredocScripts.push(...expanded.scripts);
    }
  }
}

function endBare(word: Word, added = 0): void {
  word.bare = Math.min(word.bare, word.text.length - added);
}

/** `added`: how many quoted characters the text has already. */
function markQuoted(word: Word, added: number): void {
  word.quoted = true;
  endBare(word, added);
}

function markDynamic(word: Word, inDouble: boolean): void {
  endBare(word);
  word.dynamic = true;
  if (!inDouble) word.splits = true;
}

function newSimple(piped: boolean): Simple {
  return { argv: [], redirects: [], heredocs: [], heredocScripts: [], piped, defines: false, always: false };
}
