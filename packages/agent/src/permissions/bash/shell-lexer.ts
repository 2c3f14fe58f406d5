/** A shell word without its quotes. `dynamic`: the shell expands something in it that is unknown here. */
export type Word = { text: string; dynamic: boolean; glob: boolean; quoted: boolean; scripts: string[] };
export type Redirect = { op: string; target: Word };
/** One simple command. `piped`: it reads the output of the one before it. `defines`: it begins a function. */
export type Simple = {
  argv: Word[];
  redirects: Redirect[];
  heredocs: string[];
  piped: boolean;
  defines: boolean;
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
  const lexer = new Lexer(source);
  lexer.read();
  return { commands: lexer.commands, scripts: lexer.scripts, broken: lexer.broken };
}

/** Deeper nesting counts as broken: people do not write it by hand. */
const DEEPEST = 30;

function emptyWord(): Word {
  return { text: "", dynamic: false, glob: false, quoted: false, scripts: [] };
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
  #waiting: { delimiter: Word; dash: boolean; command: Simple }[] = [];

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
    if (char === " " || char === "\t" || char === "\r") {
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
    word.dynamic = true;
    this.#addScript(word, this.#readUntil(")"));
    return true;
  }

  #operator(operator: string): void {
    const before = this.#word;
    this.#at += operator.length;
    if (REDIRECTS.has(operator)) {
      // `2>`: the number belongs to the redirect.
      if (before && !before.quoted && /^\d+$/.test(before.text)) this.#word = undefined;
      this.#endWord();
      this.#redirect = operator;
      return;
    }
    this.#endWord();
    if (operator === "(" && this.#current.argv.length > 0) this.#current.defines = true;
    if (operator === "(") this.#depth++;
    // Closes something that did not open as a bracket: a pattern of `case`, or a `$(…)` that ended too early.
    if (operator === ")" && --this.#depth < 0) this.broken = true;
    this.#endCommand(operator === "|" || operator === "|&");
    if (operator === "\n") this.#readHeredocs();
  }

  #wordPart(char: string): void {
    const word = this.#open();
    if (char === "\\") {
      const next = this.#source[this.#at + 1];
      if (next !== "\n") word.text += next ?? "";
      if (next === undefined) this.broken = true;
      word.quoted = true;
      this.#at += 2;
      // A continued line adds nothing, not even an empty word.
      if (next === "\n" && word.text === "" && word.scripts.length === 0) this.#word = undefined;
      return;
    }
    if (char === "'") return this.#readSingleQuotes(word);
    if (char === '"') return this.#readDoubleQuotes(word);
    if (char === "`") return this.#backtick(word);
    if (char === "$") return this.#dollar(word, false);
    if (char === "*" || char === "?" || char === "[") word.glob = true;
    if (char === "{" && /^\{[^{}\s]*(,|\.\.)[^{}\s]*\}?/.test(this.#source.slice(this.#at, this.#at + 200))) {
      word.dynamic = true;
    }
    word.text += char;
    this.#at++;
  }

  #readSingleQuotes(word: Word): void {
    const end = this.#source.indexOf("'", this.#at + 1);
    if (end < 0) this.broken = true;
    word.text += this.#source.slice(this.#at + 1, end < 0 ? undefined : end);
    word.quoted = true;
    this.#at = end < 0 ? this.#source.length : end + 1;
  }

  #readDoubleQuotes(word: Word): void {
    word.quoted = true;
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
    } else if (char === "`") this.#backtick(word);
    else if (char === "$") this.#dollar(word, true);
    else {
      word.text += char;
      this.#at++;
    }
  }

  #backtick(word: Word): void {
    let script = "";
    for (this.#at++; this.#at < this.#source.length && this.#source[this.#at] !== "`"; this.#at++) {
      const next = this.#source[this.#at + 1] ?? "";
      if (this.#source[this.#at] === "\\" && "`\\$".includes(next)) this.#at++;
      script += this.#source[this.#at] ?? "";
    }
    if (this.#at >= this.#source.length) this.broken = true;
    this.#at++;
    word.dynamic = true;
    this.#addScript(word, script);
  }

  #dollar(word: Word, inDouble: boolean): void {
    const next = this.#source[this.#at + 1] ?? "";
    if (next === "'" && !inDouble) return this.#ansi(word);
    if (next === '"' && !inDouble) {
      this.#at++;
      return;
    }
    if (next === "(") return this.#dollarParen(word);
    if (next === "{") {
      this.#at += 2;
      const inner = this.#readUntil("}");
      word.dynamic = true;
      word.text += `\${${inner}}`;
      // Prompts, subscripts and offsets are evaluated, so the value of a variable may run a command there.
      if (/@[A-Za-z]$|^!|\[(?!\d+\]|[@*]\])|^\w+:(?![-=+?])[^}]*[A-Za-z$]/.test(inner)) this.broken = true;
      this.#readSubstitutions(word, inner);
      return;
    }
    const name = /^\$(\w+|[@*#?$!-])/.exec(this.#source.slice(this.#at, this.#at + 200))?.[0] ?? "$";
    if (name.length > 1) word.dynamic = true;
    word.text += name;
    this.#at += name.length;
  }

  #dollarParen(word: Word): void {
    word.dynamic = true;
    this.#at += 2;
    const inner = this.#readUntil(")");
    if (isArithmetic(inner)) {
      // The value of a name in it may be a subscript with a command.
      if (/[A-Za-z_]/.test(inner)) this.broken = true;
      return this.#readSubstitutions(word, inner);
    }
    this.#addScript(word, inner);
  }

  /** `$'…'` is decoded: `$'\x72m'` is the name `rm`. */
  #ansi(word: Word): void {
    word.quoted = true;
    let raw = "";
    for (this.#at += 2; this.#at < this.#source.length && this.#source[this.#at] !== "'"; this.#at++) {
      if (this.#source[this.#at] === "\\") raw += this.#source[this.#at++];
      raw += this.#source[this.#at] ?? "";
    }
    if (this.#at >= this.#source.length) this.broken = true;
    this.#at++;
    if (raw.includes("\\")) word.dynamic = true;
    word.text += raw;
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

  #endCommand(pipes: boolean): void {
    this.#endWord();
    if (this.#redirect !== undefined) this.broken = true;
    this.#redirect = undefined;
    const { argv, redirects, defines } = this.#current;
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
      }
      const body = lines.join("\n");
      command.heredocs.push(body);
      if (!delimiter.quoted) this.#readSubstitutions(emptyWord(), body);
    }
  }
}

function newSimple(piped: boolean): Simple {
  return { argv: [], redirects: [], heredocs: [], piped, defines: false };
}

/** The index where the bracket or quote that was opened before `from` ends; -1 if it does not. */
function findClosing(source: string, from: number, close: ")" | "}" | '"' | "'", nesting = 0): number {
  if (nesting > DEEPEST) return -1;
  const open = close === ")" ? "(" : close === "}" ? "{" : undefined;
  let depth = 1;
  for (let at = from; at >= 0 && at < source.length; at++) {
    const char = source[at]!;
    if (char === close) {
      if (--depth === 0) return at;
    } else if (close === "'") continue;
    else if (char === "\\") at++;
    else if (char === "$" && (source[at + 1] === "(" || source[at + 1] === "{")) {
      at = clampEnd(findClosing(source, at + 2, source[at + 1] === "(" ? ")" : "}", nesting + 1), source);
    } else if (close === '"') continue;
    else if (char === open) depth++;
    else if (char === "'" || char === '"') at = clampEnd(findClosing(source, at + 1, char, nesting + 1), source);
  }
  return -1;
}

function clampEnd(end: number, source: string): number {
  return end < 0 ? source.length : end;
}

/** Whether the content of `$(…)` is the rest of a `$((…))`. */
function isArithmetic(inner: string): boolean {
  if (!inner.startsWith("(") || !inner.endsWith(")")) return false;
  const text = inner.slice(1, -1);
  if (/[A-Za-z_]\w*\s+[-\w/.~]/.test(text)) return false;
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
