import { join } from "node:path";
import type { ImageBlock } from "@gantry/models";
import {
  type Choice,
  EditBuffer,
  editText,
  KeyReader,
  makePaint,
  openPromptHistory,
  type Paint,
  Painter,
  Picker,
  type PromptHistory,
  stripControls,
  wantsColour,
} from "@gantry/terminal";
import type { AgentOptions } from "../../start/options.ts";
import { startAgent } from "../../start/start-agent.ts";
import type { CommandContext } from "./command-context.ts";
import { SLASH } from "./commands.ts";
import { createTerminalUi } from "./extension-ui.ts";
import { liveRows } from "./live-rows.ts";
import { modelChoices } from "./menus/model-menu.ts";
import { askLine, createTerminalPerson, type Prompting } from "./terminal-person.ts";
import { type Shown, TranscriptView } from "./transcript.ts";
import { askForTrust } from "./trust-dialog.ts";
import { attachFiles } from "./typing/attach.ts";
import { type ActionId, type Bindings, readBindings } from "./typing/bindings.ts";
import { commonStart, completionsOf } from "./typing/complete.ts";
import { copyToClipboard, pressMenuKey, readInput } from "./typing/read-input.ts";
import { welcome } from "./welcome.ts";

export type TerminalOptions = AgentOptions & { prompt?: string; images?: ImageBlock[] };

/** Runs the agent on a terminal until the user quits. Restores the terminal. Returns the exit status. */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  const paint = makePaint(wantsColour({ isTTY: process.stdout.isTTY, env: options.env, noColor: false }));
  await askForTrust(options, paint);
  return new Terminal(options, paint).run();
}

const CLOCK_MS = 1_000;

class Terminal {
  readonly #options: TerminalOptions;
  readonly #painter = new Painter(process.stdout);
  readonly #view: TranscriptView;
  readonly #keys = new KeyReader();
  #editor = new EditBuffer();
  #history!: PromptHistory;
  #bindings!: Bindings;
  #context!: CommandContext;
  #ui!: ReturnType<typeof createTerminalUi>;
  #prompting: Prompting | undefined;
  #picker: Picker | undefined;
  #cancel: (() => void) | undefined;
  #shown: Shown = { lines: [], tail: "", running: [] };
  #armed = false;
  #away = false;
  #since: number | undefined;
  #leave!: (status: number) => void;

  constructor(options: TerminalOptions, paint: Paint) {
    this.#options = options;
    this.#view = new TranscriptView(paint, () => this.#painter.columns - 1, options.cwd);
  }

  async run(): Promise<number> {
    const person = createTerminalPerson({
      paint: this.#view.paint,
      show: this.#show,
      edit: (text) => this.#editor.set(text),
      print: (lines) => this.#draw(lines),
    });
    this.#ui = createTerminalUi({
      person,
      runCancellable: (work) => this.#runCancellable(work),
      notify: (text, level) => this.#draw(this.#view.prose(text, level === "error" ? "red" : "yellow")),
      setTitle: (title) => void process.stdout.write(`\x1b]0;${title}\x07`),
      edit: (text) => this.#editor.set(text),
      draw: () => this.#draw(),
    });
    const shown = { ui: this.#ui, showCommand: (text: string) => this.#draw(this.#view.prose(stripControls(text))) };
    const agent = await startAgent({ ...this.#options, person, ...shown });
    const { session, agentDir } = agent;
    this.#view.renderTool = (name, result) => agent.extensions?.render(name, result);
    this.#bindings = readBindings(join(agentDir, "keybindings.json"));
    this.#history = openPromptHistory(this.#options.noSession ? undefined : join(agentDir, "prompt-history.jsonl"));
    this.#editor = new EditBuffer(this.#history.texts);
    this.#context = this.#createContext(agent);
    const { promise: ended, resolve } = Promise.withResolvers<number>();
    this.#leave = resolve;
    const unsubscribe = session.subscribe((event) => {
      if (event.type === "agent_start") this.#since ??= Date.now();
      if (event.type === "agent_settled") this.#since = undefined;
      this.#shown = this.#view.show(event);
      this.#draw(this.#shown.lines);
    });
    this.#open();
    const clock = setInterval(() => this.#since !== undefined && this.#draw(), CLOCK_MS);
    this.#draw([...agent.problems, ...this.#bindings.problems].flatMap((one) => this.#view.prose(one, "yellow")));
    this.#reload();
    const { prompt, images } = this.#options;
    if (prompt) void this.#try(() => session.prompt(prompt, images?.length ? { images } : {}));
    const status = await ended;
    clearInterval(clock);
    unsubscribe();
    this.#close();
    await session.dispose();
    return status;
  }

  #createContext(agent: CommandContext["agent"]): CommandContext {
    const dir = this.#options.sessionDir;
    return {
      agent,
      bindings: this.#bindings,
      env: this.#options.env,
      place: { agentDir: agent.agentDir, ...(dir ? { dir } : {}) },
      print: (lines) => this.#draw(lines),
      edit: (text) => this.#editor.set(text),
      pick: (title, choices) => this.#pick(title, choices),
      ask: (lines, how) => this.#ask(lines, how),
      runCancellable: (work) => this.#runCancellable(work),
      reload: () => this.#reload(),
      quit: () => this.#leave(0),
    };
  }

  #open(): void {
    const { stdin, stdout } = process;
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stdin.on("data", this.#onData);
    stdin.once("end", this.#onEnd);
    stdout.on("resize", this.#onResize);
    stdin.resume();
    // Enables bracketed paste and, where supported, unambiguous key chords.
    stdout.write("\x1b[?2004h\x1b[>1u");
  }

  #close(): void {
    this.#painter.clear();
    process.stdout.write("\x1b[<u\x1b[?2004l");
    process.stdin.off("data", this.#onData);
    process.stdin.off("end", this.#onEnd);
    process.stdout.off("resize", this.#onResize);
    process.stdin.setRawMode?.(false);
    process.stdin.pause();
  }

  readonly #onEnd = () => this.#leave(0);
  readonly #onResize = () => this.#draw();
  readonly #onData = (input: string | Buffer) => {
    for (const key of this.#keys.read(String(input))) {
      if ("text" in key) this.#insertText(key.text);
      else this.#handleKey(key.chord);
    }
    this.#draw();
  };

  #insertText(text: string): void {
    this.#armed = false;
    if (this.#picker) return this.#picker.type(text);
    if (this.#editor.text === "" && this.#prompting?.key?.(text)) return;
    this.#editor.insert(text);
  }

  #handleKey(chord: string): void {
    if (this.#picker) return this.#menuKey(this.#picker, chord);
    const action = this.#bindings.actionOf(chord);
    if (action !== "app.clear") this.#armed = false;
    if (action && !this.#editor.act(action)) this.#act(action);
  }

  #menuKey(picker: Picker, chord: string): void {
    const end = pressMenuKey(picker, chord);
    if (end) this.#picker = undefined;
    const { chosen } = picker;
    if (end === "chosen" && chosen) void this.#try(async () => chosen.pick());
  }

  #act(action: ActionId): void {
    const { session } = this.#context.agent;
    switch (action) {
      case "app.interrupt":
        return this.#cancel ? this.#cancel() : void this.#try(() => this.#stop());
      case "app.clear":
        return this.#clear();
      case "app.exit":
        return this.#editor.text === "" ? this.#leave(0) : undefined;
      case "app.suspend":
        return this.#suspend();
      case "app.thinking.cycle":
        return void this.#try(async () => session.cycleThinkingLevel());
      case "app.thinking.toggle":
        this.#view.thinking = !this.#view.thinking;
        return this.#remark(`Thinking is ${this.#view.thinking ? "shown" : "hidden"}.`);
      case "app.tools.expand":
        this.#view.expanded = !this.#view.expanded;
        return this.#remark(`Tool output is now ${this.#view.expanded ? "shown completely" : "folded"}.`);
      case "app.plan.toggle":
        return session.setMode(session.state().mode === "plan" ? "ask" : "plan");
      case "app.message.dequeue":
        return this.#editor.insert(Object.values(session.clearQueue()).flat().join("\n"));
      case "tui.input.tab":
        return this.#complete();
      case "app.message.followUp":
        return this.#submit("followUp");
      case "tui.input.submit":
        return this.#submit("steer");
      default:
        return this.#menu(action);
    }
  }

  /** Stops the run. Queued messages are held, and the terminal shows their number. */
  async #stop(): Promise<void> {
    const { session } = this.#context.agent;
    await session.abort();
    const { heldMessageCount: held } = session.state();
    if (held > 0)
      this.#remark(`Queued messages on hold: ${held}. /queue resume runs, /queue clear removes, alt+up edits them.`);
  }

  /** Handles actions that change the model, the session or the prompt. */
  #menu(action: ActionId): void {
    const { session } = this.#context.agent;
    switch (action) {
      case "app.model.cycleForward":
        return void this.#try(() => session.cycleModel());
      case "app.model.cycleBackward":
        return void this.#try(() => session.cycleModel(-1));
      case "app.model.select":
        return this.#pick("Model or preset, also for new sessions", modelChoices(this.#context, { persist: true }));
      case "app.model.selectTemporary":
        return this.#pick("Model or preset", modelChoices(this.#context, { persist: false }));
      case "app.history.search": {
        const texts = [...new Set(this.#history.texts.toReversed())];
        const choices = texts.map((text) => ({ label: text, pick: () => this.#editor.set(text) }));
        return this.#pick("Prompt history", choices);
      }
      case "app.editor.external":
        return void this.#try(() => this.#openExternalEditor());
      case "app.clipboard.copyLine":
        return copyToClipboard(this.#editor.line);
      case "app.clipboard.copyPrompt":
        return copyToClipboard(this.#editor.text);
      case "app.session.new":
      case "app.session.tree":
      case "app.session.resume":
        return void this.#try(() => this.#command(action.slice("app.session.".length), ""));
    }
  }

  #remark(text: string): void {
    this.#draw([this.#view.paint.dim(text)]);
  }

  #clear(): void {
    if (this.#editor.text !== "") this.#editor.set("");
    else if (this.#armed) this.#leave(0);
    else this.#armed = true;
  }

  #pick(title: string, choices: readonly Choice[]): void {
    if (choices.length === 0) return this.#remark("  There is nothing to choose from.");
    this.#picker = new Picker(title, choices);
    this.#draw();
  }

  readonly #show = (prompting: Prompting | undefined) => {
    this.#prompting = prompting;
    this.#draw();
  };

  #ask(lines: readonly string[], { secret = false, signal }: { secret?: boolean; signal: AbortSignal }) {
    return askLine(lines, { secret, signal }, this.#show);
  }

  async #runCancellable<Result>(work: (signal: AbortSignal) => Promise<Result> | Result): Promise<Result> {
    const stopping = new AbortController();
    this.#cancel = () => stopping.abort();
    try {
      return await work(stopping.signal);
    } finally {
      this.#cancel = undefined;
    }
  }

  /** The editor owns the terminal until it exits. */
  async #openExternalEditor(): Promise<void> {
    this.#close();
    this.#away = true;
    try {
      this.#editor.set(await editText(this.#editor.text, this.#options.env));
    } finally {
      this.#comeBack();
    }
  }

  #suspend(): void {
    this.#close();
    this.#away = true;
    process.once("SIGCONT", this.#comeBack);
    process.kill(process.pid, "SIGTSTP");
  }

  readonly #comeBack = () => {
    this.#away = false;
    this.#open();
    this.#draw();
  };

  #complete(): void {
    const before = this.#editor.text.slice(0, this.#editor.cursor);
    const { from, candidates } = completionsOf(before, this.#context.agent.session.cwd, this.#commandNames());
    const start = commonStart(candidates);
    if (start.length > before.length - from) this.#editor.insert(start.slice(before.length - from));
    else if (candidates.length > 1) this.#draw([candidates.slice(0, 50).join("  ")]);
  }

  #submit(streamingBehavior: "steer" | "followUp"): void {
    if (this.#prompting?.line) {
      const { line, secret } = this.#prompting;
      if (this.#editor.text !== "") line(this.#editor.submit(secret === true));
      return;
    }
    const text = this.#editor.submit().trim();
    if (text === "") return;
    this.#history.add(text);
    const input = readInput(text, this.#commandNames());
    void this.#try(async () => {
      if (input.kind === "shell") await this.#shell(input.command, input.excluded);
      else if (input.kind === "command") await this.#command(input.name, input.rest);
      else await this.#send(input.text, streamingBehavior);
    });
  }

  async #send(typed: string, streamingBehavior: "steer" | "followUp"): Promise<void> {
    const { session } = this.#context.agent;
    const { text, images, problems } = attachFiles(typed, session.cwd);
    this.#draw(problems.flatMap((problem) => this.#view.prose(problem, "yellow")));
    await session.prompt(text, { streamingBehavior, ...(images.length > 0 ? { images } : {}) });
  }

  async #shell(command: string, excludeFromContext: boolean): Promise<void> {
    const { output, exitCode } = await this.#context.agent.session.bash(command, { excludeFromContext, typed: true });
    this.#draw(this.#view.renderCommand(command, output, exitCode));
  }

  async #command(name: string, rest: string): Promise<void> {
    const command = Object.hasOwn(SLASH, name) ? SLASH[name] : undefined;
    if (command) await command.run(this.#context, rest);
    else if (this.#commandNames().includes(name))
      await this.#context.agent.session.prompt(`/${name} ${rest}`.trim(), { streamingBehavior: "followUp" });
    else throw new Error(`There is no /${name}. /help lists the commands.`);
    this.#draw();
  }

  /** The session runs those of extensions and files. */
  #commandNames(): string[] {
    return [...Object.keys(SLASH), ...(this.#context.agent.extensions?.commands() ?? []).map(({ name }) => name)];
  }

  /** Prints the error of failed work. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#draw();
    } catch (error) {
      this.#draw(this.#view.prose((error as Error).message, "red"));
    }
  }

  #reload(): void {
    const messages = this.#context.agent.session.messages();
    if (messages.length === 0) return this.#draw(welcome(this.#context.agent, this.#view));
    this.#draw(messages.flatMap((message) => this.#view.renderMessage(message)));
  }

  #draw(lines: readonly string[] = []): void {
    if (this.#away || !this.#context) return;
    const live = liveRows({
      width: this.#painter.columns - 1,
      height: this.#painter.rows,
      view: this.#view,
      shown: this.#shown,
      prompting: this.#prompting,
      picker: this.#picker,
      editor: this.#editor,
      armed: this.#armed,
      since: this.#since,
      extensions: this.#ui.rows(),
      state: this.#context.agent.session.state(),
    });
    this.#painter.paint(lines, live);
  }
}
