import type { Action } from "../action.ts";
import type { Environment } from "../gantry-folders.ts";
import { type CommandClass, Effects, HARMLESS_DEVICE } from "./effects.ts";
import { recordFileProgram, recordFindDelete } from "./file-programs.ts";
import { gitClass } from "./git-command.ts";
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

/** `network`: a part of the command uses the network, or may. */
export type Classified = { worst: CommandClass; actions: Action[]; network: boolean };

/**
 * Classifies a bash command by the worst of its parts. Only programs and options that are known to read count as reading.
 * Anything that is unknown, computed at run time or not fully parsed counts as a change. Never throws.
 */
export function classify(
  command: string,
  /** `at`: the shell's folder, if it is not `cwd`. */
  place: { cwd: string; folders: readonly string[]; at?: string; env?: Environment },
): Classified {
  const effects = new Effects([place.cwd, ...place.folders], place.at ?? place.cwd, place.env ?? {});
  new Classifier(effects).script(command, 0);
  // The part that was not parsed may hide a destructive command.
  if (effects.uncertain && DEADLY.test(command)) effects.destroy();
  return { worst: effects.worst, actions: effects.actions(command), network: effects.network };
}

const DEADLY = /\brm\s+-\w*[rf]|\b(mkfs|shred|dd\s+.*of=\/dev|find\b.*-delete)|\|\s*(sudo\s+)?(ba|z|da)?sh\b/;
const DEEPEST = 12;

/** Walks the simple commands of a script and records what each does. `piping`: the text of the commands before it in a pipe. */
class Classifier {
  readonly #effects: Effects;

  constructor(effects: Effects) {
    this.#effects = effects;
  }

  script(source: string, depth: number): void {
    if (depth > DEEPEST) return this.#effects.raise("bash.mutating");
    const { commands, scripts, broken } = lex(source);
    if (broken) this.#effects.markUncertain();
    if (/\(\)\s*\{[^}]*\|[^}]*&\s*\}/.test(source)) this.#effects.destroy();
    for (const script of scripts) this.#effects.inSubshell(() => this.script(script, depth + 1));
    let piping = "";
    for (const simple of commands) {
      piping = simple.piped ? piping : "";
      this.#classifySimple(simple, depth, piping);
      piping += ` ${simple.argv.map(({ text }) => text).join(" ")}`;
    }
  }

  #classifySimple(simple: Simple, depth: number, piping: string): void {
    if (simple.defines) this.#effects.raise("bash.mutating");
    for (const redirect of simple.redirects) this.#redirect(redirect);
    let argv = simple.argv;
    while (argv[0] && !argv[0].quoted && (GRAMMAR.has(argv[0].text) || isAssignment(argv[0]))) {
      if (isAssignment(argv[0])) this.#assignment(argv[0].text);
      argv = argv.slice(1);
    }
    const [name] = argv;
    if (!name) return;
    // A loop header runs nothing; the commands in the loop's body are separate simple commands.
    if (!name.quoted && ["for", "select"].includes(name.text)) return;
    // A pattern of `case` ends in a bracket, which the lexer may take for the end of a surrounding `$(…)`.
    if (!name.quoted && name.text === "case") return this.#effects.markUncertain();
    if (name.dynamic || (name.glob && !/^\[\[?$/.test(name.text))) return this.#effects.raise("bash.mutating");
    if (name.text === "function") {
      this.#effects.raise("bash.mutating");
      return this.#classifySimple({ ...simple, argv: argv.slice(2), redirects: [] }, depth, piping);
    }
    this.#program(argv, simple, depth, piping);
  }

  #program(argv: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const program = argv[0]!.text.replace(/^.*\//, "");
    // `./ls` is not the system's ls.
    const own = argv[0]!.text.includes("/") && !/^\/(usr\/(local\/)?)?s?bin\/[^/]+$/.test(argv[0]!.text);
    const args = argv.slice(1);
    // Names such as `constructor` are found in every object used as a table.
    if (program in Object.prototype) return this.#effects.raise("bash.mutating");
    if (own) this.#effects.raise("bash.mutating");
    if (NETWORKED.has(program)) this.#effects.network = true;
    if (WRAPPERS.has(program)) return this.#classifyWrapped(program, args, simple, depth, piping);
    if (program === "xargs" || program === "parallel") return this.#xargs(args, simple, depth, piping);
    if (SHELLS.has(program)) return this.#shell(args, simple, depth, piping);
    if (["eval", "source", ".", "trap", "alias"].includes(program))
      return this.#classifyEvaluation(program, args, depth);
    if (INTERPRETERS.test(program)) return this.#interpreter(program, args, simple, piping);
    if (program === "git") return this.#git(args);
    if (["export", "declare", "typeset", "readonly", "local", "unset"].includes(program)) {
      return this.#assignments(args);
    }
    if (program === "read" || program === "printf") return this.#setsVariables(program, args);
    if (/^(test|\[\[?)$/.test(program) && args.some(({ text }) => /^-(v|R|eq|ne|lt|le|gt|ge)$/.test(text)))
      this.#arithmetic(args);
    if (DESTROYERS.test(program)) return this.#effects.destroy();
    if (recordFileProgram(this.#effects, program, args)) return;
    if (program === "find" || program === "fd" || program === "fdfind") return this.#find(program, args, simple, depth);
    if (!own) this.#otherProgram(program, args);
  }

  #otherProgram(program: string, args: readonly Word[]): void {
    const line = args.map(({ text }) => text).join(" ");
    const sure = args.every(({ dynamic }) => !dynamic);
    if (DESTROYING[program]?.test(line)) return this.#effects.destroy();
    if (READERS.has(program)) return this.#recordReads(program, args);
    if (sure && READING[program]?.test(line)) return;
    if (sure && KNOWN_TOOLS.has(program) && /^(--version|-V|--help|version)$/.test(line)) return;
    if (onlyReads(program, args)) return this.#recordReads(program, args);
    this.#effects.raise("bash.mutating");
  }

  #recordReads(program: string, args: readonly Word[]): void {
    if (program === "cd" || program === "pushd") {
      return this.#effects.changeFolder(args.find(({ text }) => !text.startsWith("-")));
    }
    if (program === "popd") this.#effects.changeFolder(undefined);
    for (const { text } of args) this.#effects.read(text.replace(/^--?[\w-]+=|^@/, ""));
  }

  #redirect({ op, target }: Redirect): void {
    if (op === "<<" || op === "<<-" || op === "<<<" || op === "<&") return;
    if (/^\/dev\/(tcp|udp)\//.test(target.text)) {
      this.#effects.network = true;
      return this.#effects.raise("bash.mutating");
    }
    if (op === "<") return this.#effects.read(target.text);
    if (op === ">&" && /^(\d+|-)$/.test(target.text)) return;
    if (HARMLESS_DEVICE.test(target.text)) return;
    if (/^\/dev\//.test(target.text)) return this.#effects.destroy();
    this.#effects.write(target);
  }

  #assignments(args: readonly Word[]): void {
    for (const { text } of args) this.#assignment(text);
  }

  /** Bash runs a command substitution in a value later, where the value is used as a number, a subscript or a prompt. */
  #assignment(text: string): void {
    const [, name = "", subscript = "[0]"] = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=?/.exec(text) ?? [];
    if (RISKY_VARIABLE.test(name)) this.#effects.raise("bash.mutating");
    if (/\$\(|`/.test(text) || !/^\[(\d+|[@*])?\]$/.test(subscript)) this.#effects.markUncertain();
  }

  /** `read` and `printf -v` set variables. */
  #setsVariables(program: string, args: readonly Word[]): void {
    const names = program === "read" ? args : args.filter((_, at) => args[at - 1]?.text === "-v");
    if (names.some(({ dynamic }) => dynamic) || args.some(({ text }) => /^-v./.test(text)))
      this.#effects.raise("bash.mutating");
    this.#assignments(names);
  }

  /** These operators evaluate their operands as arithmetic, and a subscript in it may run a command. */
  #arithmetic(args: readonly Word[]): void {
    if (args.some(({ dynamic, text }) => dynamic || /[[$`]/.test(text))) this.#effects.markUncertain();
  }

  #classifyWrapped(program: string, args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    if (RAISING.has(program) && args.length > 0) this.#effects.raise("bash.mutating");
    const splits = program === "env" ? args.findIndex(({ text }) => /^(-\w*S|--split-string)/.test(text)) : -1;
    const read = readOptions(program, args);
    if (splits >= 0 && splits < read.at) {
      const texts = args.slice(splits).map(({ text }) => text.replace(/^(-\w*S|--split-string=?)/, ""));
      return this.script(texts.join(" "), depth + 1);
    }
    if (!read.known) this.#effects.raise("bash.mutating");
    // An option after the first operand belongs to the inner program.
    const names = program === "command" && args.slice(0, read.at).some(({ text }) => /^-\w*[vV]/.test(text));
    if (names) return;
    let at = read.at;
    for (; at < args.length; at++) {
      if (isAssignment(args[at]!)) this.#assignment(args[at]!.text);
      else if (!takesOperand(program, args[at]!.text)) break;
    }
    const rest = args.slice(at);
    if (rest.length === 0) return;
    this.#classifySimple({ ...simple, argv: [...rest], redirects: [], defines: false }, depth + 1, piping);
    // After an unknown option it is a guess where the inner command starts, so later arguments are checked too.
    for (let later = at + 1; later < args.length && at > 0 && depth < DEEPEST; later++) {
      if (/^(rm|shred|mkfs|dd|git)$/.test(args[later]!.text)) {
        this.#classifySimple({ ...simple, argv: args.slice(later), redirects: [], defines: false }, depth + 1, piping);
        break;
      }
    }
  }

  #xargs(args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const { at, known } = readOptions("xargs", args);
    if (!known) this.#effects.raise("bash.mutating");
    if (at >= args.length) return;
    // Standard input may supply any argument, so only programs that read with all arguments count as readers.
    const unknown: Word = { text: "$_", dynamic: true, glob: false, quoted: false, scripts: [] };
    const script = SHELLS.has(args[at]!.text) ? [] : [unknown];
    this.#classifySimple(
      { ...simple, argv: [...args.slice(at), ...script], redirects: [], defines: false },
      depth + 1,
      piping,
    );
  }

  #shell(args: readonly Word[], simple: Simple, depth: number, piping: string): void {
    const flag = args.findIndex(({ text }) => /^-\w*c\w*$/.test(text));
    const mentionsDownload = (text: string) =>
      /\b(curl|wget|fetch|nc|base64|xxd|openssl|http|https|gunzip)\b/.test(text);
    if (args.some(({ scripts }) => scripts.some(mentionsDownload)) || (simple.piped && mentionsDownload(piping)))
      return this.#effects.destroy();
    if (flag >= 0) {
      const code = args.slice(flag + 1).find(({ text }) => !text.startsWith("-"));
      if (!code) return this.#effects.raise("bash.mutating");
      if (code.dynamic) this.#effects.raise("bash.mutating");
      return this.script(code.text, depth + 1);
    }
    if (args.length === 1 && args[0]!.text === "--version") return;
    this.#effects.raise("bash.mutating");
    for (const body of simple.heredocs) this.script(body, depth + 1);
    for (const { op, target } of simple.redirects) if (op === "<<<") this.script(target.text, depth + 1);
    if (simple.piped) this.script(piping.replace(/^\s*(echo|printf)\s+(-\w+\s+)*/, ""), depth + 1);
  }

  #classifyEvaluation(program: string, args: readonly Word[], depth: number): void {
    this.#effects.raise("bash.mutating");
    if (args.some(({ scripts }) => scripts.some((text) => /\b(curl|wget)\b/.test(text))))
      return this.#effects.destroy();
    if (program === "eval") return this.script(args.map(({ text }) => text).join(" "), depth + 1);
    if (program === "source" || program === ".") return;
    for (const { text } of args) this.script(text.replace(/^[\w.-]+=/, ""), depth + 1);
  }

  #interpreter(program: string, args: readonly Word[], simple: Simple, piping: string): void {
    if (args.length === 1 && /^(--version|-V|-v|--help)$/.test(args[0]!.text)) return;
    this.#effects.raise("bash.mutating");
    const code = [...args.map(({ text }) => text), ...simple.heredocs].join("\n");
    if (
      /rmtree|unlink|rimraf|\brmSync|\brm\(|\bremove\(|removedirs|rm\s+-\w*[rf]|File\.delete|FileUtils|os\.remove|mkfs/.test(
        code,
      )
    )
      this.#effects.destroy();
    if (
      simple.piped &&
      !/\.(py|js|ts|rb|pl|mjs|cjs|php)\b/.test(args[0]?.text ?? "") &&
      /\b(curl|wget)\b/.test(piping)
    ) {
      const readsProgram = args.every(({ text }) => !/^-(c|e|m|p|n)/.test(text));
      if (readsProgram || program === "node") this.#effects.destroy();
    }
  }

  #git(args: readonly Word[]): void {
    for (const { text } of args) this.#effects.read(text.replace(/^--?[\w-]+=/, ""));
    const { is, elsewhere, network } = gitClass(args);
    if (network) this.#effects.network = true;
    if (is === "force_push") {
      return this.#effects.forcePush();
    }
    if (is === "destructive") return this.#effects.destroy(elsewhere || args.some(({ text }) => text === "push"));
    if (is === "mutating") this.#effects.raise("bash.mutating");
  }

  #find(program: string, args: readonly Word[], simple: Simple, depth: number): void {
    if (args.some(({ dynamic, quoted, text }) => dynamic && !(quoted && /^[^$-]/.test(text))))
      this.#effects.raise("bash.mutating");
    for (const { text } of args) this.#effects.read(text);
    if (args.some(({ text }) => /^-delete$/.test(text))) recordFindDelete(this.#effects, args);
    if (args.some(({ text }) => /^-(fprint|fprintf|fprint0|fls)$/.test(text))) this.#effects.raise("file.write");
    const runs = program === "find" ? /^-(exec|execdir|ok|okdir)$/ : /^(-x|-X|--exec|--exec-batch)$/;
    for (const [at, { text }] of args.entries()) {
      if (!runs.test(text)) continue;
      const end = args.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
      const argv = args.slice(at + 1, end < 0 ? undefined : end);
      if (argv.length === 0) this.#effects.raise("bash.mutating");
      this.#classifySimple({ ...simple, argv, redirects: [], piped: false, defines: false }, depth + 1, "");
    }
    if (
      program !== "find" &&
      args.some(({ text }) => /^(-x|-X|--exec)/.test(text) && text.length > 2 && !runs.test(text))
    ) {
      this.#effects.raise("bash.mutating");
    }
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
