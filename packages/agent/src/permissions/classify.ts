import type { Action } from "./action.ts";
import { type Environment, gantryFolders, isGantryPath, isGantrySecret, matchesFolder } from "./gantry-folders.ts";
import { gitClass } from "./git-command.ts";
import { expandedPath, isInside, isSecretPath, pathOf } from "./paths.ts";
import {
  DESTROYERS,
  DESTROYING,
  GRAMMAR,
  INTERPRETERS,
  KNOWN_TOOLS,
  NETWORKED,
  RAISING,
  READERS,
  READING,
  RISKY_VARIABLE,
  SHELLS,
  WRAPPERS,
} from "./programs.ts";
import { onlyReads } from "./reading-options.ts";
import { lex, type Redirect, type Simple, type Word } from "./shell-lexer.ts";
import { readOptions } from "./wrapper-options.ts";

/** From the least to the worst. */
export const COMMAND_CLASSES = [
  "bash.readonly",
  "bash.mutating",
  "file.write",
  "file.delete",
  "git.force_push",
  "bash.destructive",
] as const;
export type CommandClass = (typeof COMMAND_CLASSES)[number];

/** `network`: a part of it speaks with the network, or may. */
export type Classified = { worst: CommandClass; actions: Action[]; network: boolean };

/**
 * What a text for bash does, judged by the worst of its parts. Only what is known to read counts as reading; what is
 * unknown, put together at run time or cannot be read to its end counts as changing something. Never throws.
 */
export function classify(
  command: string,
  /** `at`: where the shell stands, if not in `cwd`. */
  place: { cwd: string; folders: readonly string[]; at?: string; env?: Environment },
): Classified {
  const judge = new Judge([place.cwd, ...place.folders], place.at ?? place.cwd, place.env ?? {});
  judge.script(command, 0);
  judge.end(command);
  return { worst: judge.worst, actions: judge.actions(command), network: judge.network };
}

const DEADLY = /\brm\s+-\w*[rf]|\b(mkfs|shred|dd\s+.*of=\/dev|find\b.*-delete)|\|\s*(sudo\s+)?(ba|z|da)?sh\b/;
const DEEPEST = 12;
const HARMLESS_TARGET = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;

class Judge {
  worst: CommandClass = "bash.readonly";
  network = false;
  readonly #inside: readonly string[];
  /** Where the shell stands; unknown after a `cd` to somewhere unknown. */
  #cwd: string | undefined;
  /** The same, with values of variables guessed from the environment: for what is read, never for what is allowed. */
  #readsAt: string | undefined;
  /** Something is destroyed of which it is not known that it lies inside. */
  #destroysOutside = false;
  readonly #paths: Action[] = [];

  readonly #env: Environment;
  readonly #gantry: readonly string[];

  constructor(inside: readonly string[], cwd: string, env: Environment) {
    this.#inside = inside;
    this.#cwd = cwd;
    this.#readsAt = cwd;
    this.#env = env;
    this.#gantry = gantryFolders(env);
  }

  actions(command: string): Action[] {
    const bash: Action[] = [];
    if (this.worst === "bash.destructive") {
      bash.push({ kind: "bash.destructive", command, ...(this.#destroysOutside ? {} : { inside: true as const }) });
    } else if (this.worst === "git.force_push") bash.push({ kind: "git.force_push", command });
    else if (this.worst === "bash.readonly") bash.push({ kind: "bash.readonly", command });
    else bash.push({ kind: "bash.mutating", command });
    if (this.worst === "bash.destructive" && this.#forced) bash.push({ kind: "git.force_push", command });
    return [...bash, ...this.#paths];
  }

  #forced = false;
  #astray = false;

  /** What could not be read for sure may hide something behind the point where reading went astray. */
  end(command: string): void {
    if (this.#astray && DEADLY.test(command)) this.#destroys();
  }

  #goneAstray(): void {
    this.#astray = true;
    this.#is("bash.mutating");
  }

  script(source: string, depth: number): void {
    if (depth > DEEPEST) return this.#is("bash.mutating");
    const { commands, scripts, broken } = lex(source);
    if (broken) this.#goneAstray();
    if (/\(\)\s*\{[^}]*\|[^}]*&\s*\}/.test(source)) this.#destroys();
    const cwd = this.#cwd;
    const readsAt = this.#readsAt;
    for (const script of scripts) {
      this.script(script, depth + 1);
      this.#cwd = cwd;
      this.#readsAt = readsAt;
    }
    let piping = "";
    for (const simple of commands) {
      piping = simple.piped ? piping : "";
      this.#simple(simple, depth, piping);
      piping += ` ${simple.words.map(({ text }) => text).join(" ")}`;
    }
  }

  #simple(simple: Simple, depth: number, piping: string): void {
    if (simple.defines) this.#is("bash.mutating");
    for (const redirect of simple.redirects) this.#redirect(redirect);
    let words = simple.words;
    while (words[0] && !words[0].quoted && (GRAMMAR.has(words[0].text) || isAssignment(words[0]))) {
      if (isAssignment(words[0])) this.#assignment(words[0].text);
      words = words.slice(1);
    }
    const [name] = words;
    if (!name) return;
    // Loops over words, and patterns: the commands in them stand by themselves.
    if (!name.quoted && ["for", "select"].includes(name.text)) return;
    // Its patterns end in a bracket, at which a `$(…)` around it seems to end.
    if (!name.quoted && name.text === "case") return this.#goneAstray();
    if (name.dynamic || (name.glob && !/^\[\[?$/.test(name.text))) return this.#is("bash.mutating");
    if (name.text === "function") {
      this.#is("bash.mutating");
      return this.#simple({ ...simple, words: words.slice(2), redirects: [] }, depth, piping);
    }
    this.#program(words, simple, depth, piping);
  }

  #program(words: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const program = words[0]!.text.replace(/^.*\//, "");
    // `./ls` is not ls.
    const own = words[0]!.text.includes("/") && !/^\/(usr\/(local\/)?)?s?bin\/[^/]+$/.test(words[0]!.text);
    const args = words.slice(1);
    // `constructor` and its like: names that every table seems to have.
    if (program in Object.prototype) return this.#is("bash.mutating");
    if (own) this.#is("bash.mutating");
    if (NETWORKED.has(program)) this.network = true;
    if (WRAPPERS.has(program)) return this.#wrapped(program, args, simple, depth, piping);
    if (program === "xargs" || program === "parallel") return this.#xargs(args, simple, depth, piping);
    if (SHELLS.has(program)) return this.#shell(args, simple, depth, piping);
    if (["eval", "source", ".", "trap", "alias"].includes(program)) return this.#evaluates(program, args, depth);
    if (INTERPRETERS.test(program)) return this.#interpreter(program, args, simple, piping);
    if (program === "git") return this.#git(args);
    if (["export", "declare", "typeset", "readonly", "local", "unset"].includes(program)) {
      return this.#assignments(args);
    }
    if (program === "read" || program === "printf") return this.#fills(program, args);
    if (/^(test|\[\[?)$/.test(program) && args.some(({ text }) => /^-(v|R|eq|ne|lt|le|gt|ge)$/.test(text)))
      this.#evaluated(args);
    if (DESTROYERS.test(program)) return this.#destroys();
    if (this.#files(program, args)) return;
    if (program === "find" || program === "fd" || program === "fdfind") return this.#find(program, args, simple, depth);
    if (!own) this.#rest(program, args);
  }

  #rest(program: string, args: readonly Word[]): void {
    const line = args.map(({ text }) => text).join(" ");
    const sure = args.every(({ dynamic }) => !dynamic);
    if (DESTROYING[program]?.test(line)) return this.#destroys();
    if (READERS.has(program)) return this.#reads(program, args);
    if (sure && READING[program]?.test(line)) return;
    if (sure && KNOWN_TOOLS.has(program) && /^(--version|-V|--help|version)$/.test(line)) return;
    if (onlyReads(program, args)) return this.#reads(program, args);
    this.#is("bash.mutating");
  }

  #reads(program: string, args: readonly Word[]): void {
    if (program === "cd" || program === "pushd") {
      const to = args.find(({ text }) => !text.startsWith("-"));
      this.#readsAt = to ? expandedPath(to.text, this.#readsAt, this.#env) : undefined;
      this.#cwd = to && !to.glob ? pathOf(to.text, this.#cwd) : undefined;
      return;
    }
    if (program === "popd") {
      this.#cwd = undefined;
      this.#readsAt = undefined;
    }
    for (const { text } of args) this.#readsPath(text.replace(/^--?[\w-]+=|^@/, ""));
  }

  #readsPath(text: string): void {
    const path = expandedPath(text, this.#readsAt, this.#env);
    if (path === undefined) return;
    const hit = /[*?[{]/.test(path) ? matchesFolder(path, this.#gantry) : undefined;
    if (hit !== undefined) this.#paths.push({ kind: "file.read", path: hit });
    else if (isSecretPath(path) || isGantrySecret(path, this.#gantry, this.#inside)) {
      this.#paths.push({ kind: "file.read", path });
    }
  }

  /** A change in Gantry's folders is asked about in every mode, so it is named also where the path is a guess. */
  #changesGantry(kind: "file.write" | "file.delete", text: string): void {
    const path = expandedPath(text, this.#readsAt, this.#env);
    if (path === undefined) return;
    const hit = /[*?[{]/.test(path) ? matchesFolder(path, this.#gantry) : undefined;
    if (hit !== undefined) this.#paths.push({ kind, path: hit });
    else if (isGantryPath(path, this.#gantry, this.#inside)) this.#paths.push({ kind, path });
  }

  #redirect({ op, target }: Redirect): void {
    if (op === "<<" || op === "<<-" || op === "<<<" || op === "<&") return;
    if (/^\/dev\/(tcp|udp)\//.test(target.text)) {
      this.network = true;
      return this.#is("bash.mutating");
    }
    if (op === "<") return this.#readsPath(target.text);
    if (op === ">&" && /^(\d+|-)$/.test(target.text)) return;
    if (HARMLESS_TARGET.test(target.text)) return;
    if (/^\/dev\//.test(target.text)) return this.#destroys();
    this.#writes(target);
  }

  #assignments(args: readonly Word[]): void {
    for (const { text } of args) this.#assignment(text);
  }

  /** A value with a command in it is run where a number, a subscript or a prompt is made of it later. */
  #assignment(text: string): void {
    const [, name = "", subscript = "[0]"] = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=?/.exec(text) ?? [];
    if (RISKY_VARIABLE.test(name)) this.#is("bash.mutating");
    if (/\$\(|`/.test(text) || !/^\[(\d+|[@*])?\]$/.test(subscript)) this.#goneAstray();
  }

  /** `read` and `printf -v` set variables. */
  #fills(program: string, args: readonly Word[]): void {
    const names = program === "read" ? args : args.filter((_, at) => args[at - 1]?.text === "-v");
    if (names.some(({ dynamic }) => dynamic) || args.some(({ text }) => /^-v./.test(text))) this.#is("bash.mutating");
    this.#assignments(names);
  }

  /** These count with their words, and a word that is counted with may hold a command. */
  #evaluated(args: readonly Word[]): void {
    if (args.some(({ dynamic, text }) => dynamic || /[[$`]/.test(text))) this.#goneAstray();
  }

  #wrapped(program: string, args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    if (RAISING.has(program) && args.length > 0) this.#is("bash.mutating");
    const splits = program === "env" ? args.findIndex(({ text }) => /^(-\w*S|--split-string)/.test(text)) : -1;
    const read = readOptions(program, args);
    if (splits >= 0 && splits < read.at) {
      const texts = args.slice(splits).map(({ text }) => text.replace(/^(-\w*S|--split-string=?)/, ""));
      return this.script(texts.join(" "), depth + 1);
    }
    if (!read.known) this.#is("bash.mutating");
    // An option after the first operand belongs to the program that is run.
    const names = program === "command" && args.slice(0, read.at).some(({ text }) => /^-\w*[vV]/.test(text));
    if (names) return;
    let at = read.at;
    for (; at < args.length; at++) {
      if (isAssignment(args[at]!)) this.#assignment(args[at]!.text);
      else if (!takesOperand(program, args[at]!.text)) break;
    }
    const rest = args.slice(at);
    if (rest.length === 0) return;
    this.#simple({ ...simple, words: [...rest], redirects: [], defines: false }, depth + 1, piping);
    // Which word begins the command is a guess where an unknown option stands before it.
    for (let later = at + 1; later < args.length && at > 0 && depth < DEEPEST; later++) {
      if (/^(rm|shred|mkfs|dd|git)$/.test(args[later]!.text)) {
        this.#simple({ ...simple, words: args.slice(later), redirects: [], defines: false }, depth + 1, piping);
        break;
      }
    }
  }

  #xargs(args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const { at, known } = readOptions("xargs", args);
    if (!known) this.#is("bash.mutating");
    if (at >= args.length) return;
    // What comes on stdin may be any argument: so only what reads whatever it is given stays a reader.
    const unknown: Word = { text: "$_", dynamic: true, glob: false, quoted: false, scripts: [] };
    const script = SHELLS.has(args[at]!.text) ? [] : [unknown];
    this.#simple(
      { ...simple, words: [...args.slice(at), ...script], redirects: [], defines: false },
      depth + 1,
      piping,
    );
  }

  #shell(args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const flag = args.findIndex(({ text }) => /^-\w*c\w*$/.test(text));
    const fetched = (text: string) => /\b(curl|wget|fetch|nc|base64|xxd|openssl|http|https|gunzip)\b/.test(text);
    if (args.some(({ scripts }) => scripts.some(fetched)) || (simple.piped && fetched(piping))) return this.#destroys();
    if (flag >= 0) {
      const code = args.slice(flag + 1).find(({ text }) => !text.startsWith("-"));
      if (!code) return this.#is("bash.mutating");
      if (code.dynamic) this.#is("bash.mutating");
      return this.script(code.text, depth + 1);
    }
    if (args.length === 1 && args[0]!.text === "--version") return;
    this.#is("bash.mutating");
    for (const body of simple.heredocs) this.script(body, depth + 1);
    for (const { op, target } of simple.redirects) if (op === "<<<") this.script(target.text, depth + 1);
    if (simple.piped) this.script(piping.replace(/^\s*(echo|printf)\s+(-\w+\s+)*/, ""), depth + 1);
  }

  #evaluates(program: string, args: readonly Word[], depth: number): void {
    this.#is("bash.mutating");
    if (args.some(({ scripts }) => scripts.some((text) => /\b(curl|wget)\b/.test(text)))) return this.#destroys();
    if (program === "eval") return this.script(args.map(({ text }) => text).join(" "), depth + 1);
    if (program === "source" || program === ".") return;
    for (const { text } of args) this.script(text.replace(/^[\w.-]+=/, ""), depth + 1);
  }

  #interpreter(program: string, args: readonly Word[], simple: Simple, piping: string): void {
    if (args.length === 1 && /^(--version|-V|-v|--help)$/.test(args[0]!.text)) return;
    this.#is("bash.mutating");
    const code = [...args.map(({ text }) => text), ...simple.heredocs].join("\n");
    if (
      /rmtree|unlink|rimraf|\brmSync|\brm\(|\bremove\(|removedirs|rm\s+-\w*[rf]|File\.delete|FileUtils|os\.remove|mkfs/.test(
        code,
      )
    )
      this.#destroys();
    if (
      simple.piped &&
      !/\.(py|js|ts|rb|pl|mjs|cjs|php)\b/.test(args[0]?.text ?? "") &&
      /\b(curl|wget)\b/.test(piping)
    ) {
      const readsProgram = args.every(({ text }) => !/^-(c|e|m|p|n)/.test(text));
      if (readsProgram || program === "node") this.#destroys();
    }
  }

  #git(args: readonly Word[]): void {
    for (const { text } of args) this.#readsPath(text.replace(/^--?[\w-]+=/, ""));
    const { is, elsewhere, network } = gitClass(args);
    if (network) this.network = true;
    if (is === "force_push") {
      this.#forced = true;
      return this.#is("git.force_push");
    }
    if (is === "destructive") return this.#destroys(elsewhere || args.some(({ text }) => text === "push"));
    if (is === "mutating") this.#is("bash.mutating");
  }

  #find(program: string, args: readonly Word[], simple: Simple, depth: number): void {
    if (args.some(({ dynamic, quoted, text }) => dynamic && !(quoted && /^[^$-]/.test(text))))
      this.#is("bash.mutating");
    for (const { text } of args) this.#readsPath(text);
    if (args.some(({ text }) => /^-delete$/.test(text))) this.#destroysFound(args);
    if (args.some(({ text }) => /^-(fprint|fprintf|fprint0|fls)$/.test(text))) this.#is("file.write");
    const runs = program === "find" ? /^-(exec|execdir|ok|okdir)$/ : /^(-x|-X|--exec|--exec-batch)$/;
    for (const [at, { text }] of args.entries()) {
      if (!runs.test(text)) continue;
      const end = args.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
      const words = args.slice(at + 1, end < 0 ? undefined : end);
      if (words.length === 0) this.#is("bash.mutating");
      this.#simple({ ...simple, words, redirects: [], piped: false, defines: false }, depth + 1, "");
    }
    if (
      program !== "find" &&
      args.some(({ text }) => /^(-x|-X|--exec)/.test(text) && text.length > 2 && !runs.test(text))
    ) {
      this.#is("bash.mutating");
    }
  }

  #destroysFound(args: readonly Word[]): void {
    const roots = args.slice(
      0,
      Math.max(
        0,
        args.findIndex(({ text }) => /^[-(!]/.test(text)),
      ),
    );
    if (roots.length === 0) this.#deletes({ text: ".", dynamic: false }, true);
    for (const root of roots) this.#deletes(root, true);
  }

  /** Programs whose operands are files that they change. */
  #files(program: string, args: readonly Word[]): boolean {
    const operands = args.filter(
      ({ text }, at) => !text.startsWith("-") || args.slice(0, at).some((word) => word.text === "--"),
    );
    const options = args
      .filter((word) => !operands.includes(word))
      .map(({ text }) => text)
      .join(" ");
    switch (program) {
      case "rm": {
        const much =
          /(^|\s)-\w*[rRf]|--(recursive|force|no-preserve-root)/.test(options) || args.some(({ dynamic }) => dynamic);
        for (const operand of operands) this.#deletes(operand, much);
        if (operands.length === 0) this.#is(much ? "bash.destructive" : "file.delete");
        if (operands.length === 0) this.#destroysOutside = true;
        return true;
      }
      case "rmdir":
      case "unlink":
        for (const operand of operands) this.#deletes(operand, false);
        if (operands.length === 0) this.#is("file.delete");
        return true;
      case "mv":
        for (const operand of operands.slice(0, -1)) this.#deletes(operand, false);
        for (const operand of operands.slice(-1)) this.#writes(operand);
        return this.#always("file.write");
      case "cp":
      case "ln":
      case "install":
      case "rsync":
      case "scp":
        if (DESTROYING[program]?.test(options)) this.#destroys();
        for (const operand of operands.slice(-1)) this.#writes(operand);
        return this.#always("file.write");
      case "chmod":
      case "chown":
      case "chgrp":
        if (/(^|\s)-\w*R|--recursive/.test(options))
          this.#destroys(!operands.slice(1).every((word) => this.#isInside(word)));
        for (const operand of operands.slice(1)) this.#writes(operand);
        return this.#always("file.write");
      case "tee":
      case "touch":
      case "mkdir":
      case "truncate":
      case "mkfifo":
      case "split":
        for (const operand of operands) this.#writes(operand);
        return this.#always("file.write");
      case "dd":
        for (const { text } of args) if (text.startsWith("of=")) this.#disk(text.slice(3));
        return this.#always("bash.mutating");
      default:
        return false;
    }
  }

  #disk(target: string): void {
    if (/^\/dev\//.test(target) && !HARMLESS_TARGET.test(target)) this.#destroys();
    else this.#writes({ text: target, dynamic: target.includes("$") });
  }

  #always(severity: CommandClass): true {
    this.#is(severity);
    return true;
  }

  #isInside(word: { text: string; dynamic: boolean }): boolean {
    const path = pathOf(word.text, this.#cwd);
    // Removing the folder itself is not a change inside it.
    return (
      path !== undefined && !word.text.includes("{") && isInside(path, this.#inside) && !this.#inside.includes(path)
    );
  }

  #writes(word: { text: string; dynamic: boolean }): void {
    this.#is("file.write");
    if (/^\/dev\/(sd|nvme|hd|vd|mem|disk)/.test(word.text)) this.#destroys();
    const path = pathOf(word.text, this.#cwd);
    if (path) this.#paths.push({ kind: "file.write", path });
    this.#changesGantry("file.write", word.text);
  }

  #deletes(word: { text: string; dynamic: boolean }, much: boolean): void {
    this.#is("file.delete");
    const path = pathOf(word.text, this.#cwd);
    if (path) this.#paths.push({ kind: "file.delete", path });
    this.#changesGantry("file.delete", word.text);
    if (much || path === undefined) this.#destroys(!this.#isInside(word));
  }

  #destroys(outside = true): void {
    if (outside) this.#destroysOutside = true;
    this.#is("bash.destructive");
  }

  #is(severity: CommandClass): void {
    if (COMMAND_CLASSES.indexOf(severity) > COMMAND_CLASSES.indexOf(this.worst)) this.worst = severity;
  }
}

function isAssignment({ text }: Word): boolean {
  return /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(text);
}

function takesOperand(program: string, text: string): boolean {
  if (program === "timeout") return /^[\d.]+[smhd]?$/.test(text);
  if (program === "chrt") return /^\d+$/.test(text);
  return program === "flock" || program === "chroot" ? text.includes("/") || /^\d+$/.test(text) : false;
}
