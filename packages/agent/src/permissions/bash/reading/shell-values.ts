import { dirname } from "node:path";
import type { Environment } from "../../gantry-folders.ts";
import { findGit } from "../../git-folders.ts";
import { possiblePaths } from "../../paths.ts";
import { GRAMMAR } from "../programs.ts";
import { lex, literalWord, type Simple, SUBSTITUTION, type Word } from "../shell-lexer.ts";
import { type Arg, toArgs, type Values } from "./args.ts";

const DEEPEST = 8;
const MOST_TEXTS = 200;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=/;

/** The length of the name and the equals sign, if the word is an assignment. Quotes before the sign make it a command. */
export function assignmentLength({ text, bare }: Word): number {
  const length = ASSIGNMENT.exec(text)?.[0].length ?? 0;
  return length <= bare ? length : 0;
}

type Source = Word | { pipe: readonly Simple[] } | { values: Values } | undefined;

/**
 * The values that variables and substitutions of a command can have. All assignments count regardless of their order, so
 * loops are covered. A variable that is neither assigned nor in the environment is unknown.
 */
export class ShellValues {
  readonly #env: Environment;
  readonly #folders: () => readonly string[] | undefined;
  readonly #sources = new Map<string, Source[]>();
  /** Variables that have one of their values here. Any other may be unset, and its word empty. */
  readonly #set = new Set<string>();

  constructor(env: Environment, folders: () => readonly string[] | undefined) {
    this.#env = env;
    this.#folders = folders;
  }

  /** Records the assignments of these commands. Call it before the commands are classified. */
  collect(commands: readonly Simple[]): void {
    let pipe: Simple[] = [];
    for (const simple of commands) {
      if (!simple.piped) pipe = [];
      this.#collectSimple(simple.argv, simple.piped ? pipe : []);
      pipe = [...pipe, simple];
    }
  }

  /** Records which variables this command has certainly set. Call it after the command is classified. */
  advance({ argv, always }: Simple): void {
    const tokens = stripGrammar(argv);
    const [first, name] = tokens;
    if (first?.text === "unset") for (const { text } of tokens) this.#set.delete(text);
    // In the body of the loop the variable is set.
    if (first?.text === "for" && name) this.#set.add(name.text);
    if (!always || !tokens.every((word) => assignmentLength(word) > 0)) return;
    for (const { text } of tokens) this.#set.add(text.replace(/\W[\s\S]*$/, ""));
  }

  /** A word for what a program such as xargs adds to a command. `source`: the pipe before it, or its values. */
  addedWord(source: { pipe: readonly Simple[] } | { values: Values } | undefined, splits: boolean): Word {
    const name = `__gantry_added_${this.#sources.size}`;
    this.#add(name, source);
    this.#set.add(name);
    return { ...literalWord(`$${name}`), dynamic: true, splits, bare: 0 };
  }

  args(tokens: readonly Word[]): Arg[] {
    return toArgs(tokens, (word) => this.valuesOf(word));
  }

  /** What the commands of a pipe print, where that is a list of paths or known texts. */
  outputOf(pipe: readonly Simple[], depth = 0): Values | undefined {
    const filters = pipe.length - 1;
    for (const { argv } of pipe.slice(1)) if (!isFilter(argv.map(({ text }) => text))) return undefined;
    const [producer] = pipe;
    if (!producer || filters > 6 || producer.redirects.some(({ op }) => op !== ">" && op !== ">&")) return undefined;
    const [name, ...tokens] = stripGrammar(producer.argv);
    if (!name || name.dynamic || name.quoted) return undefined;
    return this.#printedBy(
      name.text,
      toArgs(tokens, (word) => this.valuesOf(word, depth + 1)),
    );
  }

  valuesOf(word: Word, depth = 0): Values | undefined {
    if (!word.dynamic) return { texts: [word.text], under: [] };
    if (depth > DEEPEST) return undefined;
    if (word.text === SUBSTITUTION && word.scripts.length === 1) return this.#outputOfScript(word.scripts[0]!, depth);
    const whole = /^\$(?:(\w+)|\{(\w+)\})(\/[^$\u0001]*)?$/.exec(word.text);
    if (whole) {
      const values = this.#variable(whole[1] ?? whole[2] ?? "", depth);
      if (values && values.under.length > 0) return /(^|\/)\.\.(\/|$)/.test(whole[3] ?? "") ? undefined : values;
    }
    let at = 0;
    let texts = [""];
    let glob = false;
    for (const part of word.text.matchAll(/\u0001|\$(?:(\w+|[?#$!])|\{(\w+)\})|[^$\u0001]+|[$\s\S]/g)) {
      const [text, plain, braced] = part;
      const values: Values | undefined =
        text === SUBSTITUTION
          ? this.#outputOfScript(word.scripts[at++] ?? "", depth)
          : plain !== undefined || braced !== undefined
            ? this.#variable(plain ?? braced ?? "", depth)
            : text.startsWith("$")
              ? undefined
              : { texts: [text], under: [] };
      if (!values || values.under.length > 0) return undefined;
      glob ||= values.glob ?? false;
      texts = texts.flatMap((before) => values.texts.map((after) => before + after));
      if (texts.length > MOST_TEXTS) return undefined;
    }
    return { texts, under: [], glob };
  }

  #collectSimple(argv: readonly Word[], pipe: readonly Simple[]): void {
    const tokens = stripGrammar(argv);
    for (const word of tokens) {
      const length = assignmentLength(word);
      if (length > 0) this.#add(word.text.replace(/\W[\s\S]*$/, ""), assignedValue(word, length));
    }
    const [first, name, ...rest] = tokens;
    if (!first || first.quoted) return;
    if ((first.text === "for" || first.text === "select") && name) {
      for (const word of rest.slice(1)) this.#add(name.text, word);
      // Without `in` the loop takes the arguments of the script.
      if (rest[0]?.text !== "in") this.#add(name.text, undefined);
    }
    if (first.text === "read")
      for (const word of tokens.slice(1)) this.#add(word.text, pipe.length > 0 ? { pipe } : undefined);
  }

  #add(name: string, source: Source): void {
    this.#sources.set(name, [...(this.#sources.get(name) ?? []), source]);
  }

  #variable(name: string, depth: number): Values | undefined {
    if (/^[?#$!]$/.test(name) || name === "RANDOM") return { texts: ["0"], under: [] };
    // Bash itself sets these.
    if (/^(_|OLDPWD|REPLY)$/.test(name)) return undefined;
    const folders = this.#folders();
    if (name === "PWD" && folders) return { texts: folders, under: [] };
    const start = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
    const sources = this.#sources.get(name) ?? [];
    if (start === undefined && sources.length === 0) return undefined;
    const all: (Values | undefined)[] = start === undefined ? [] : [{ texts: [start], under: [] }];
    if (start === undefined && !this.#set.has(name)) all.push({ texts: [""], under: [], closed: true });
    for (const source of sources) {
      if (!source || depth > DEEPEST) return undefined;
      if ("values" in source) all.push(source.values);
      else all.push("pipe" in source ? this.outputOf(source.pipe, depth + 1) : this.#loopValues(source, depth));
    }
    const sure = all.filter((values) => values !== undefined);
    if (sure.length < all.length) return undefined;
    const closed = sure.every((values) => values.closed);
    const glob = sure.some((values) => values.glob);
    return { texts: sure.flatMap(({ texts }) => texts), under: sure.flatMap(({ under }) => under), closed, glob };
  }

  /** A value with a pattern in it stays a pattern: it is matched where it is read. */
  #loopValues(word: Word, depth: number): Values | undefined {
    const { glob } = word;
    const values = word.braces ? undefined : this.valuesOf(word, depth + 1);
    if (!word.braces) return values && { ...values, glob: glob || (values.glob ?? false) };
    const args = toArgs([word], (each) => this.valuesOf(each, depth + 1));
    return args.every(({ candidates }) => candidates.length > 0)
      ? { texts: args.flatMap(({ candidates }) => candidates), under: [], glob }
      : undefined;
  }

  #outputOfScript(script: string, depth: number): Values | undefined {
    if (depth > DEEPEST) return undefined;
    const { commands, broken } = lex(script);
    // Only one pipe: of several commands each one prints.
    if (broken || commands.slice(1).some(({ piped }) => !piped)) return undefined;
    return this.outputOf(commands, depth + 1);
  }

  #printedBy(program: string, args: readonly Arg[]): Values | undefined {
    const folders = this.#folders();
    if (!folders || args.some(({ candidates }) => candidates.length === 0)) return undefined;
    const texts = args.flatMap(({ candidates }) => candidates);
    const operands = texts.filter((text) => !text.startsWith("-"));
    const below = (paths: readonly string[]): Values | undefined => {
      const roots = paths.flatMap((path) => folders.flatMap((folder) => possiblePaths(path, folder, this.#env)));
      return roots.includes(undefined) ? undefined : { texts: [], under: roots.filter((path) => path !== undefined) };
    };
    switch (program) {
      case "pwd":
        return { texts: folders, under: [] };
      case "echo":
        // Options and backslashes change what is printed, and xargs drops quotes.
        return texts.some((text) => /^-|[\\'"]/.test(text)) ? undefined : { texts, under: [] };
      case "seq":
        return { texts: ["0"], under: [] };
      case "git":
        return printedByGit(texts, folders);
      case "find": {
        const end = texts.findIndex((text) => /^[-(!]/.test(text));
        const roots = end < 0 ? texts : texts.slice(0, end);
        return texts.some((text) => /^-(printf|exec|ok|ls)/.test(text))
          ? undefined
          : below(roots.length > 0 ? roots : ["."]);
      }
      case "ls":
        return texts.some((text) => /^-\w*[lRsi]|^--/.test(text)) ? undefined : below([".", ...operands]);
      case "fd":
      case "fdfind":
        return below([".", ...operands]);
      case "rg":
      case "grep":
        if (!texts.some((text) => /^-\w*l|^--files(-with-matches)?$/.test(text))) return undefined;
        return below([".", ...operands]);
      default:
        return undefined;
    }
  }
}

function printedByGit(texts: readonly string[], folders: readonly string[]): Values | undefined {
  const [sub = "", ...rest] = texts;
  const has = (...names: string[]) => rest.some((text) => names.includes(text));
  if (sub === "rev-parse" && has("--show-toplevel")) {
    // Without a repository git prints nothing.
    const tops = folders.map((folder) => findGit(folder)).map((git) => (git ? dirname(git.link ?? git.own) : "."));
    return { texts: [...new Set(tops)], under: [] };
  }
  const plain = rest.every(
    (text) => !text.startsWith("-") || /^--(short|verify|abbrev-ref|tags|all|abbrev=\d+)$/.test(text),
  );
  // A commit or a name of a branch: neither begins with a dash.
  if ((sub === "rev-parse" || sub === "merge-base" || sub === "describe") && plain)
    return { texts: ["HEAD", ...rest.filter((text) => sub === "rev-parse" && !text.startsWith("-"))], under: [] };
  if (sub === "branch" && rest.length === 1 && has("--show-current")) return { texts: ["HEAD"], under: [] };
  const lists = sub === "ls-files" || (sub === "diff" && has("--name-only"));
  const plainly = rest.every((text) => !/^--(format|line-prefix|src-prefix|output)/.test(text));
  return lists && plainly ? { texts: [], under: folders } : undefined;
}

/** Programs that print some of their input lines unchanged. */
function isFilter(texts: readonly string[]): boolean {
  const [program = "", ...args] = texts;
  if (!["sort", "uniq", "head", "tail", "grep", "egrep"].includes(program)) return false;
  const operands = args.filter((text, at) => !text.startsWith("-") && args[at - 1] !== "-n");
  const plain = { sort: /^-[dfghinruV]+$/, head: /^-n?\d*$/, tail: /^-n?\d*$/ }[program] ?? /^-[iveEFGPwxa]+$/;
  if (program === "uniq" && args.length > 0) return false;
  return (
    operands.length <= (program.endsWith("grep") ? 1 : 0) &&
    args.every((text) => !text.startsWith("-") || plain.test(text))
  );
}

function assignedValue(word: Word, length: number): Source {
  // `+=` and an array element add to a value that is not known here.
  return /[+\]]=$/.test(word.text.slice(0, length))
    ? undefined
    : { ...word, text: word.text.slice(length), splits: false };
}

export function stripGrammar(argv: readonly Word[]): readonly Word[] {
  const first = argv.findIndex((word) => word.quoted || !GRAMMAR.has(word.text));
  return first < 0 ? [] : argv.slice(first);
}
