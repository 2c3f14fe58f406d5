import type { Action } from "../action.ts";
import type { Environment } from "../gantry-folders.ts";
import { possiblePaths } from "../paths.ts";
import { type CommandClass, Effects, HARMLESS_DEVICE } from "./effects.ts";
import { recordFileProgram, recordFindDelete } from "./file-programs.ts";
import { gitClass } from "./git-command.ts";
import {
  BASH_LIKE,
  DESTROYERS,
  DESTROYING,
  GRAMMAR,
  INTERPRETERS,
  NETWORKED,
  RAISING,
  SHELLS,
  WRAPPERS,
} from "./programs.ts";
import { matchFind } from "./reading/find-expression.ts";
import { readsOfGit } from "./reading/git-call.ts";
import { readsOf } from "./reading/reading-call.ts";
import { assignmentLength, ShellValues } from "./reading/shell-values.ts";
import { isHarmlessCondition } from "./reading/test-expression.ts";
import { isHarmlessVariable } from "./reading/variables.ts";
import { lex, type Redirect, type Simple, type Word } from "./shell-lexer.ts";
import {
  changesFolderInLoop,
  commandsIn,
  FOLDER_CHANGES,
  insertWord,
  LOOPS,
  replacedText,
  scriptsOf,
  textOf,
} from "./simple-commands.ts";
import { readOptions, takesOperand } from "./wrapper-options.ts";

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
  const env = place.env ?? {};
  const effects = new Effects([place.cwd, ...place.folders], place.at ?? place.cwd, env);
  new Classifier(effects, env).script(command, 0);
  // The part that was not parsed may hide a destructive command.
  if (effects.uncertain && DEADLY.test(command)) effects.destroy();
  return { worst: effects.worst, actions: effects.actions(command), network: effects.network };
}

const DEADLY = /\brm\s+-\w*[rf]|\b(mkfs|shred|dd\s+.*of=\/dev|find\b.*-delete)|\|\s*(sudo\s+)?(ba|z|da)?sh\b/;
const DEEPEST = 12;

/** Where a simple command stands. `pipe`: the commands before it in a pipe. */
type Context = { depth: number; pipe: readonly Simple[] };

/** Walks the simple commands of a script and records what each does. */
class Classifier {
  readonly #effects: Effects;
  readonly #env: Environment;
  readonly #values: ShellValues;

  constructor(effects: Effects, env: Environment) {
    this.#effects = effects;
    this.#env = env;
    this.#values = new ShellValues(env, () => effects.folders);
  }

  script(source: string, depth: number): void {
    if (depth > DEEPEST) return this.#effects.raise("bash.mutating");
    const { commands, broken } = lex(source);
    if (broken) this.#effects.markUncertain();
    if (/\(\)\s*\{[^}]*\|[^}]*&\s*\}/.test(source)) this.#effects.destroy();
    this.#values.collect(commands);
    if (changesFolderInLoop(commands)) this.#effects.changeFolder(undefined);
    let pipe: Simple[] = [];
    for (const simple of commands) {
      pipe = simple.piped ? pipe : [];
      for (const script of scriptsOf(simple)) this.#effects.inSubshell(() => this.script(script, depth + 1));
      this.#classifySimple(simple, { depth, pipe });
      this.#values.advance(simple);
      pipe = [...pipe, simple];
    }
  }

  #classifySimple(simple: Simple, context: Context): void {
    if (simple.defines) this.#effects.raise("bash.mutating");
    for (const redirect of simple.redirects) this.#redirect(redirect);
    let argv: readonly Word[] = simple.argv;
    const assignments: Word[] = [];
    while (argv[0]) {
      if (assignmentLength(argv[0]) > 0) assignments.push(argv[0]);
      else if (argv[0].quoted || !GRAMMAR.has(argv[0].text)) break;
      if (argv[0].text === "coproc") this.#effects.raise("bash.mutating");
      argv = argv.slice(1);
    }
    const [name] = argv;
    // The separator of `read` does not outlive it.
    for (const { text } of assignments)
      if (name?.text !== "read" || !/^IFS=[^$`\u0001]*$/.test(text)) this.#assignment(text);
    if (!name) return;
    if (!name.quoted && LOOPS.has(name.text)) {
      // A loop header runs nothing; the commands in the loop's body are separate simple commands.
      if (!isHarmlessVariable(argv[1]?.text ?? "")) this.#effects.raise("bash.mutating");
      return;
    }
    // A pattern of `case` ends in a bracket, which the lexer may take for the end of a surrounding `$(…)`.
    if (!name.quoted && name.text === "case") return this.#effects.markUncertain();
    if (name.dynamic || name.braces || (name.glob && !/^\[\[?$/.test(name.text)))
      return this.#effects.raise("bash.mutating");
    if (name.text === "function") {
      this.#effects.raise("bash.mutating");
      return this.#classifySimple({ ...simple, argv: argv.slice(2), redirects: [] }, context);
    }
    this.#program(argv, simple, context);
  }

  #program(argv: readonly Word[], simple: Simple, context: Context): void {
    const program = argv[0]!.text.replace(/^.*\//, "");
    // `./ls` is not the system's ls.
    const own = argv[0]!.text.includes("/") && !/^\/(usr\/(local\/)?)?s?bin\/[^/]+$/.test(argv[0]!.text);
    const args = argv.slice(1);
    // Names such as `constructor` are found in every object used as a table.
    if (program in Object.prototype) return this.#effects.raise("bash.mutating");
    if (own) this.#effects.raise("bash.mutating");
    if (NETWORKED.has(program)) this.#effects.network = true;
    if (WRAPPERS.has(program)) return this.#classifyWrapped(program, args, simple, context);
    if (program === "xargs" || program === "parallel") return this.#xargs(program, args, simple, context);
    if (SHELLS.has(program)) return this.#shell(program, args, simple, context);
    if (["eval", "source", ".", "trap", "alias"].includes(program))
      return this.#classifyEvaluation(program, args, context.depth);
    if (INTERPRETERS.test(program)) return this.#interpreter(program, args, simple, context);
    if (program === "git") return this.#git(args);
    if (["export", "declare", "typeset", "readonly", "local"].includes(program)) return this.#declaration(args);
    if (DESTROYERS.test(program)) return this.#effects.destroy();
    if (recordFileProgram(this.#effects, program, args)) return;
    if (program === "find" || program === "fd" || program === "fdfind")
      return this.#find(program, args, simple, context);
    if (!own) this.#otherProgram(program, args);
  }

  #otherProgram(program: string, args: readonly Word[]): void {
    if (DESTROYING[program]?.test(args.map(({ text }) => text).join(" "))) return this.#effects.destroy();
    if (FOLDER_CHANGES.has(program)) return this.#changeFolder(program, args);
    if (program === "[[") {
      if (args.some(({ text }) => /`/.test(text)) || !isHarmlessCondition(args.map(({ text }) => text)))
        this.#effects.markUncertain();
      return;
    }
    if (/^(test|\[)$/.test(program) && args.some(({ text }) => /^-[vR]$/.test(text))) this.#effects.markUncertain();
    this.#recordReads(program, args);
  }

  /** Only a call that the tables of reading programs know in full counts as reading. */
  #recordReads(program: string, args: readonly Word[]): void {
    const reads = readsOf(program, this.#values.args(args));
    if (!reads) return this.#effects.raise("bash.mutating");
    for (const read of reads) this.#effects.readFile(read);
  }

  #changeFolder(program: string, tokens: readonly Word[]): void {
    const args = this.#values.args(tokens).filter(({ text }) => text !== "--");
    const operands = args.filter(({ text }) => !/^-[LPe@n]+$/.test(text));
    for (const { text } of operands) this.#effects.read(text);
    if (program === "popd") return this.#effects.changeFolder(undefined);
    if (operands.length > 1 || operands.some(({ text }) => /^[-+]/.test(text))) {
      if (operands.some(({ text }) => text !== "-")) this.#effects.raise("bash.mutating");
      return this.#effects.changeFolder(undefined);
    }
    const [target] = operands;
    if (!target) return this.#effects.changeFolder(program === "cd" ? ["~"] : undefined);
    this.#effects.changeFolder(target.candidates.length > 0 ? target.candidates : undefined);
  }

  #redirect({ op, target }: Redirect): void {
    if (op === "<<" || op === "<<-" || op === "<<<" || op === "<&") return;
    if (/^\/dev\/(tcp|udp)\//.test(target.text)) {
      this.#effects.network = true;
      return this.#effects.raise("bash.mutating");
    }
    if (op === "<") {
      const args = this.#values.args([target]);
      if (args.length !== 1) this.#effects.raise("bash.mutating");
      for (const arg of args) this.#effects.readFile({ arg, how: "content" });
      return;
    }
    if (op === ">&" && /^([12]|-)$/.test(target.text)) return;
    // Opening another descriptor by its number opens its file again, for writing.
    if (/^(>&\d+|[>&|]+\/dev\/fd\/.*)$/.test(op + target.text)) return this.#effects.raise("bash.mutating");
    if (HARMLESS_DEVICE.test(target.text) && !target.dynamic && !target.braces) return;
    if (/^\/dev\//.test(target.text)) return this.#effects.destroy();
    this.#effects.write(target);
  }

  /** `export` and its relatives. Their options change what an assignment does, so only harmless ones count. */
  #declaration(args: readonly Word[]): void {
    for (const word of args) {
      if (/^-[prx]+$/.test(word.text)) continue;
      if (word.splits || word.glob || word.braces || word.text.startsWith("-") || !/^\w/.test(word.text))
        this.#effects.raise("bash.mutating");
      this.#assignment(word.text);
    }
  }

  /** Bash runs a command substitution in a value later, where the value is used as a number, a subscript or a prompt. */
  #assignment(text: string): void {
    const [, name = "", subscript = "[0]"] = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=?/.exec(text) ?? [];
    if (!isHarmlessVariable(name)) this.#effects.raise("bash.mutating");
    if (/\$\(|`/.test(text) || !/^\[(\d+|[@*])?\]$/.test(subscript)) this.#effects.markUncertain();
  }

  #classifyWrapped(program: string, args: readonly Word[], simple: Simple, context: Context): void {
    const { depth } = context;
    if (RAISING.has(program) && args.length > 0) this.#effects.raise("bash.mutating");
    const splits = program === "env" ? args.findIndex(({ text }) => /^(-\w*S|--split-string)/.test(text)) : -1;
    const read = readOptions(program, args);
    if (splits >= 0 && splits < read.at) {
      const texts = args.slice(splits).map(({ text }) => text.replace(/^(-\w*S|--split-string=?)/, ""));
      this.#effects.raise("bash.mutating");
      return this.script(texts.join(" "), depth + 1);
    }
    if (!read.known || args.slice(0, read.at).some(({ dynamic, glob, braces }) => dynamic || glob || braces))
      this.#effects.raise("bash.mutating");
    // An option after the first operand belongs to the inner program.
    if (program === "command" && args.slice(0, read.at).some(({ text }) => /^-\w*[vV]/.test(text))) return;
    let at = read.at;
    for (; at < args.length; at++) {
      if (program === "env" && /^[A-Za-z_]\w*=/.test(args[at]!.text)) this.#assignment(args[at]!.text);
      else if (!takesOperand(program, args[at]!.text)) break;
    }
    const rest = args.slice(at);
    const inner = () => {
      if (program === "env") this.#environment(args.slice(0, read.at));
      if (rest.length > 0) this.#classifyInner(rest, simple, context);
    };
    if (program === "env") this.#effects.inSubshell(inner);
    else inner();
    // After an unknown option it is a guess where the inner command starts, so later arguments are checked too.
    for (let later = at + 1; later < args.length && at > 0 && depth < DEEPEST; later++) {
      if (/^(rm|shred|mkfs|dd|git)$/.test(args[later]!.text)) {
        this.#classifyInner(args.slice(later), simple, context);
        break;
      }
    }
  }

  /** A program runs these tokens as a command. A word that looks like a keyword or an assignment is the program's name then. */
  #classifyInner(argv: readonly Word[], simple: Simple, { depth, pipe }: Context): void {
    const [name, ...rest] = argv;
    if (!name) return;
    if (depth > DEEPEST || name.dynamic || name.splits || name.glob || name.braces)
      return this.#effects.raise("bash.mutating");
    this.#program(
      [{ ...name, quoted: true }, ...rest],
      { ...simple, argv: [...argv], redirects: [] },
      { depth: depth + 1, pipe },
    );
  }

  /** The options of `env` that change what the inner program finds. */
  #environment(options: readonly Word[]): void {
    for (const [at, { text }] of options.entries()) {
      const next = options[at + 1]?.text ?? "";
      const unset =
        /^-\w*u(.*)$/.exec(text)?.[1] ?? /^--unset=(.*)$/.exec(text)?.[1] ?? (text === "--unset" ? "" : undefined);
      if (unset !== undefined && !isHarmlessVariable(unset === "" ? next : unset)) this.#effects.raise("bash.mutating");
      if (/^-\w*i|^--ignore-environment$/.test(text)) this.#effects.raise("bash.mutating");
      const folder =
        /^-\w*C(.*)$/.exec(text)?.[1] ?? /^--chdir=(.*)$/.exec(text)?.[1] ?? (text === "--chdir" ? "" : undefined);
      if (folder !== undefined) this.#effects.changeFolder([folder === "" ? next : folder]);
    }
  }

  /** Standard input supplies further arguments. Which ones is known only where the pipe before it lists paths. */
  #xargs(program: string, args: readonly Word[], simple: Simple, { depth, pipe }: Context): void {
    const { at, known } = readOptions("xargs", args);
    const options = args.slice(0, at);
    if (!known || program !== "xargs" || options.some(({ dynamic, glob, braces }) => dynamic || glob || braces))
      this.#effects.raise("bash.mutating");
    if (at >= args.length) return;
    const fromFile = options.some(({ text }) => /^-\w*a|^--arg/.test(text));
    const marker = replacedText(options);
    const added = this.#values.addedWord(fromFile || !simple.piped ? undefined : { pipe }, marker === undefined);
    const inner = args.slice(at);
    const argv =
      marker === undefined
        ? [...inner, ...(SHELLS.has(inner[0]!.text) ? [] : [added])]
        : inner.map((word) => insertWord(word, marker, added));
    this.#classifyInner(argv, simple, { depth, pipe: [] });
  }

  #shell(program: string, args: readonly Word[], simple: Simple, { depth, pipe }: Context): void {
    const flag = args.findIndex(({ text }) => /^-\w*c\w*$/.test(text));
    const mentionsDownload = (text: string) =>
      /\b(curl|wget|fetch|nc|base64|xxd|openssl|http|https|gunzip)\b/.test(text);
    const piping = textOf(pipe);
    if (args.some(({ scripts }) => scripts.some(mentionsDownload)) || (simple.piped && mentionsDownload(piping)))
      return this.#effects.destroy();
    if (flag >= 0) {
      // Another option before the code may load a file, and another shell has another syntax.
      if (flag > 0 || !/^-[elux]*c$/.test(args[0]!.text) || !BASH_LIKE.has(program))
        this.#effects.raise("bash.mutating");
      const code = args.slice(flag + 1).find(({ text }) => !text.startsWith("-"));
      if (!code || code !== args[flag + 1] || code.dynamic || code.glob || code.braces)
        this.#effects.raise("bash.mutating");
      return code && this.script(code.text, depth + 1);
    }
    if (args.length === 1 && readsOf(program, this.#values.args(args))) return;
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

  #interpreter(program: string, args: readonly Word[], simple: Simple, { pipe }: Context): void {
    if (readsOf(program, this.#values.args(args))) return;
    this.#effects.raise("bash.mutating");
    const piping = textOf(pipe);
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

  #git(tokens: readonly Word[]): void {
    for (const { text } of tokens) this.#effects.read(text.replace(/^--?[\w-]+=/, ""));
    const { is, elsewhere, network } = gitClass(tokens);
    if (network) this.#effects.network = true;
    if (is === "force_push") return this.#effects.forcePush();
    if (is === "destructive") return this.#effects.destroy(elsewhere || tokens.some(({ text }) => text === "push"));
    const reads = readsOfGit(this.#values.args(tokens), { folders: this.#effects.folders, env: this.#env });
    if (!reads) return this.#effects.raise("bash.mutating");
    for (const read of reads) this.#effects.readFile(read);
  }

  #find(program: string, tokens: readonly Word[], simple: Simple, context: Context): void {
    const args = this.#values.args(tokens);
    for (const { text } of tokens) this.#effects.read(text);
    if (tokens.some(({ text }) => text === "-delete")) recordFindDelete(this.#effects, tokens);
    if (tokens.some(({ text }) => /^-(fprint|fprintf|fprint0|fls)$/.test(text))) this.#effects.raise("file.write");
    const runs = program === "find" ? /^-(exec|execdir|ok|okdir)$/ : /^(-x|-X|--exec|--exec-batch)/;
    const call = program === "find" ? matchFind(args) : undefined;
    const found = this.#values.addedWord(
      call && { values: this.#foundBelow(call.roots.flatMap(({ candidates }) => candidates)) },
      false,
    );
    // An expansion may add a command that is not among the tokens.
    const written = tokens.filter(({ text }) => runs.test(text)).length;
    if (written !== (call?.commands.length ?? written) || (written > 0 && args.length !== tokens.length))
      this.#effects.raise("bash.mutating");
    for (const { from, to, inFolder } of call?.commands ?? commandsIn(tokens, runs)) {
      const argv = tokens.slice(from, to).map((word) => insertWord(word, "{}", found));
      if (argv.length === 0) this.#effects.raise("bash.mutating");
      this.#effects.inSubshell(() => {
        // `-execdir` runs in the folder of each file.
        if (inFolder) this.#effects.changeFolder(undefined);
        this.#classifyInner(argv, { ...simple, piped: false }, { ...context, pipe: [] });
      });
    }
    if (program !== "find") return this.#recordReads(program, tokens);
    if (!call) return this.#effects.raise("bash.mutating");
    for (const arg of call.reads) this.#effects.readFile({ arg, how: "names" });
  }

  /** The values of the paths that find prints. Without a known folder they are not known. */
  #foundBelow(roots: readonly string[]) {
    const folders = this.#effects.folders ?? [];
    const named = roots.length > 0 ? roots : ["."];
    const under = named.flatMap((root) =>
      folders.flatMap((folder) => possiblePaths(root, folder, this.#env)).map((path) => path ?? "/"),
    );
    return { texts: [], under: under.length > 0 ? under : ["/"], closed: true };
  }
}
