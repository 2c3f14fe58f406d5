import { join } from "node:path";
import type { ImageBlock } from "@gantry/models";
import {
  type Choice,
  detectTheme,
  editText,
  makeTheme,
  openPromptHistory,
  type PromptHistory,
  stripControls,
  type Theme,
  wantsColour,
} from "@gantry/terminal";
import { createFileIndex, type FileIndex } from "@gantry/terminal/files";
import { loadHighlighter } from "@gantry/terminal/transcript";
import { gitBranch } from "../../prompt/git-branch.ts";
import type { AgentOptions } from "../../start/options.ts";
import { startAgent } from "../../start/start-agent.ts";
import { performAction } from "./actions.ts";
import { AgentScreen, type Attachment, type Key } from "./agent-screen.ts";
import type { CommandContext } from "./command-context.ts";
import { listCommands, SLASH } from "./commands.ts";
import { Dialogs } from "./dialogs.ts";
import { createTerminalUi } from "./extension-ui.ts";
import { askLine, createTerminalPerson, type Prompting } from "./terminal-person.ts";
import { askForTrust } from "./trust-dialog.ts";
import { attachFiles } from "./typing/attach.ts";
import { type ActionId, readBindings } from "./typing/bindings.ts";
import { readInput } from "./typing/read-input.ts";
import { type LiveParts, rowsAbove, rowsBelow } from "./view/live-rows.ts";
import { type Shown, TranscriptView } from "./view/transcript.ts";
import { welcome } from "./view/welcome.ts";

export type TerminalOptions = AgentOptions & { prompt?: string; images?: ImageBlock[] };

/** Runs the agent on a terminal until the user quits. Restores the terminal. Returns the exit status. */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  const colour = wantsColour({ isTTY: process.stdout.isTTY, env: options.env, noColor: false });
  const theme = makeTheme(detectTheme(options.env, colour));
  await askForTrust(options, theme);
  return new Terminal(options, theme).run();
}

const CLOCK_MS = 1_000;

class Terminal {
  readonly #options: TerminalOptions;
  readonly #view: TranscriptView;
  readonly #dialogs = new Dialogs();
  #screen!: AgentScreen;
  #files!: FileIndex;
  #history!: PromptHistory;
  #context!: CommandContext;
  #ui!: ReturnType<typeof createTerminalUi>;
  #cancel: (() => void) | undefined;
  #shown: Shown = { lines: [], tail: [], running: [] };
  #queue: string[] = [];
  #expanded = false;
  #armed = false;
  #delivery: "steer" | "followUp" = "steer";
  #since: number | undefined;
  #branch: string | undefined;
  #cost = 0;
  #leave!: (status: number) => void;

  constructor(options: TerminalOptions, theme: Theme) {
    this.#options = options;
    this.#view = new TranscriptView(theme, () => (this.#screen?.columns ?? 80) - 1, options.cwd);
  }

  async run(): Promise<number> {
    const { cwd, noSession } = this.#options;
    const person = createTerminalPerson({
      paint: this.#view.paint,
      show: this.#show,
      edit: (text) => this.#dialogs.answer.set(text),
    });
    this.#ui = createTerminalUi({
      person,
      runCancellable: (work) => this.#runCancellable(work),
      notify: (text, level) => this.#print(this.#view.prose(text, level === "error" ? "red" : "yellow")),
      setTitle: (title) => void process.stdout.write(`\x1b]0;${title}\x07`),
      edit: (text) => this.#edit(text),
      prefill: (text) => {
        this.#dialogs.prefill = text;
      },
      draw: () => this.#draw(),
    });
    const shown = { ui: this.#ui, showCommand: (text: string) => this.#print(this.#view.prose(stripControls(text))) };
    const agent = await startAgent({ ...this.#options, person, ...shown });
    const { session, agentDir } = agent;
    this.#view.renderTool = (name, result) => agent.extensions?.render(name, result);
    const bindings = readBindings(join(agentDir, "keybindings.json"));
    this.#history = openPromptHistory(noSession ? undefined : join(agentDir, "prompt-history.jsonl"));
    this.#files = createFileIndex(session.cwd);
    this.#context = this.#createContext(agent, bindings);
    this.#screen = this.#createScreen(cwd);
    const { promise: ended, resolve } = Promise.withResolvers<number>();
    this.#leave = resolve;
    const unsubscribe = session.subscribe((event) => this.#follow(event));
    this.#print([...agent.problems, ...bindings.problems].flatMap((one) => this.#view.prose(one, "yellow")));
    this.#reload();
    this.#screen.start();
    process.stdin.once("end", () => this.#leave(0));
    const clock = setInterval(() => this.#since !== undefined && this.#draw(), CLOCK_MS);
    void this.#readFacts();
    if (this.#view.paint.enabled) void loadHighlighter();
    const { prompt, images } = this.#options;
    if (prompt) void this.#try(() => session.prompt(prompt, images?.length ? { images } : {}));
    const status = await ended;
    clearInterval(clock);
    unsubscribe();
    this.#files.close();
    this.#screen.stop();
    await session.dispose();
    return status;
  }

  #createScreen(cwd: string): AgentScreen {
    const parts = (width: number, height: number) => this.#liveParts(width, height);
    return new AgentScreen({
      theme: this.#view.paint,
      cwd,
      history: this.#history,
      bindings: this.#context.bindings,
      commands: () => listCommands(this.#context),
      files: (query, limit) => this.#files.search(query, limit),
      submit: (text, attachments) => this.#submit(text, attachments),
      press: (key) => this.#press(key),
      above: (width, height) => rowsAbove(parts(width, height)),
      below: (width) => rowsBelow(parts(width, 0)),
      isFieldHidden: () => this.#dialogs.isOpen,
    });
  }

  #createContext(agent: CommandContext["agent"], bindings: CommandContext["bindings"]): CommandContext {
    const dir = this.#options.sessionDir;
    return {
      agent,
      bindings,
      env: this.#options.env,
      place: { agentDir: agent.agentDir, ...(dir ? { dir } : {}) },
      print: (lines) => this.#print(lines.flatMap((line) => this.#view.prose(line))),
      edit: (text) => this.#edit(text),
      pick: (title, choices) => this.#pick(title, choices),
      ask: (lines, how) => this.#ask(lines, how),
      runCancellable: (work) => this.#runCancellable(work),
      reload: () => this.#reload(),
      quit: () => this.#leave(0),
    };
  }

  #follow(event: Parameters<TranscriptView["show"]>[0]): void {
    if (event.type === "agent_start") this.#since ??= Date.now();
    if (event.type === "agent_settled") this.#since = undefined;
    if (event.type === "queue_update") this.#queue = [...event.steering, ...event.followUp];
    if (event.type === "message_end" || event.type === "agent_settled") void this.#readFacts();
    this.#shown = this.#view.show(event);
    this.#print(this.#shown.lines);
  }

  async #readFacts(): Promise<void> {
    const { session } = this.#context.agent;
    this.#cost = session.stats().cost;
    this.#branch = await gitBranch(session.cwd);
    this.#draw();
  }

  /** Handles a key before the input field. */
  #press(key: Key): boolean {
    const { bindings } = this.#context;
    if (this.#dialogs.isOpen) {
      const choose = (choice: Choice) => void this.#try(async () => choice.pick());
      this.#dialogs.press(key, { bindings, act: (action) => this.#act(action), choose });
      return true;
    }
    if ("text" in key) {
      this.#armed = false;
      return false;
    }
    const action = bindings.actionOf(key.chord);
    if (action !== "app.clear") this.#armed = false;
    if (!action?.startsWith("app.")) return false;
    if (action === "app.interrupt" && this.#screen.isMenuOpen) return false;
    if (action === "app.exit" && this.#screen.text !== "") return false;
    this.#act(action);
    return true;
  }

  #act(action: ActionId): void {
    performAction(action, {
      context: this.#context,
      view: this.#view,
      screen: this.#screen,
      history: this.#history,
      attempt: (work) => void this.#try(work),
      interrupt: () => (this.#cancel ? this.#cancel() : void this.#try(() => this.#stop())),
      clear: () => this.#clear(),
      expand: () => this.#expand(),
      remark: (text) => this.#remark(text),
      suspend: () => this.#suspend(),
      editElsewhere: () => this.#openExternalEditor(),
      pasteImage: () => this.#pasteImage(),
      sendAfterRun: () => this.#submitAfterRun(),
      runCommand: (name) => this.#command(name, ""),
    });
  }

  #submitAfterRun(): void {
    this.#delivery = "followUp";
    this.#screen.submit();
    this.#delivery = "steer";
  }

  /** Stops the run or the command. Queued messages are held, and the terminal shows them. */
  async #stop(): Promise<void> {
    const { session } = this.#context.agent;
    session.abortBash();
    await session.abort();
  }

  async #pasteImage(): Promise<void> {
    const { readClipboardImage } = await import("@gantry/terminal/clipboard");
    const read = await readClipboardImage({ env: this.#options.env });
    if ("problem" in read) return this.#remark(read.problem);
    this.#screen.addImage({ name: "clipboard", mime: read.mimeType, data: read.data.toString("base64") });
  }

  #expand(): void {
    if (this.#shown.running.length > 0) {
      this.#expanded = !this.#expanded;
      return;
    }
    const rows = this.#view.unfold();
    if (rows) this.#print(["", ...rows]);
    else this.#remark("All output is shown.");
  }

  #remark(text: string): void {
    this.#print(this.#view.prose(text, "dim"));
  }

  #clear(): void {
    if (this.#screen.text !== "") this.#edit("");
    else if (this.#armed) this.#leave(0);
    else this.#armed = true;
  }

  #edit(text: string): void {
    if (this.#screen) this.#screen.text = text;
  }

  #pick(title: string, choices: readonly Choice[]): void {
    if (choices.length === 0) return this.#remark("There is nothing to choose from.");
    this.#dialogs.pick(title, choices);
    this.#draw();
  }

  readonly #show = (prompting: Prompting | undefined) => {
    this.#dialogs.show(prompting);
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
    const { text } = this.#screen;
    this.#screen.pause();
    try {
      this.#edit(await editText(text, this.#options.env));
    } finally {
      this.#screen.resume();
    }
  }

  #suspend(): void {
    this.#screen.pause();
    process.once("SIGCONT", () => this.#screen.resume());
    process.kill(process.pid, "SIGTSTP");
  }

  #submit(typed: string, attachments: readonly Attachment[]): void {
    const streamingBehavior = this.#delivery;
    const text = typed.trim();
    const input = readInput(text, this.#commandNames());
    void this.#try(async () => {
      if (input.kind === "shell") await this.#shell(input.command, input.excluded);
      else if (input.kind === "command") await this.#command(input.name, input.rest);
      else await this.#send(input.text, attachments, streamingBehavior);
    });
  }

  async #send(typed: string, attachments: readonly Attachment[], streamingBehavior: "steer" | "followUp") {
    const { session } = this.#context.agent;
    const { text, images, problems } = attachFiles(typed, session.cwd);
    const pasted = attachments.map(({ data, mime }) => ({
      type: "image" as const,
      data: data ?? "",
      mimeType: mime ?? "image/png",
    }));
    this.#print(problems.flatMap((problem) => this.#view.prose(problem, "yellow")));
    const all = [...images, ...pasted];
    await session.prompt(text, { streamingBehavior, ...(all.length > 0 ? { images: all } : {}) });
  }

  async #shell(command: string, excludeFromContext: boolean): Promise<void> {
    this.#view.startCommand(command);
    this.#since ??= Date.now();
    const { session } = this.#context.agent;
    const { output, exitCode } = await session.bash(command, { excludeFromContext, typed: true }).catch((error) => {
      this.#view.endCommand(command, "", undefined);
      throw error;
    });
    if (!session.state().isStreaming) this.#since = undefined;
    const rows = this.#view.endCommand(command, output, exitCode);
    this.#shown = { ...this.#shown, running: this.#shown.running.filter(({ title }) => !title.startsWith("! ")) };
    this.#print(rows);
  }

  async #command(name: string, rest: string): Promise<void> {
    const command = Object.hasOwn(SLASH, name) ? SLASH[name] : undefined;
    if (command) await command.run(this.#context, rest);
    else if (this.#commandNames().includes(name))
      await this.#context.agent.session.prompt(`/${name} ${rest}`.trim(), { streamingBehavior: "followUp" });
    else throw new Error(`There is no /${name}. /help lists the commands.`);
  }

  /** The session runs those of extensions and files. */
  #commandNames(): string[] {
    return listCommands(this.#context).map(({ name }) => name);
  }

  /** Prints the error of failed work. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#draw();
    } catch (error) {
      this.#print(this.#view.prose((error as Error).message, "red"));
    }
  }

  #reload(): void {
    const messages = this.#context.agent.session.messages();
    if (messages.length === 0) return this.#print(welcome(this.#context.agent, this.#view));
    this.#print(messages.flatMap((message) => this.#view.renderMessage(message)));
  }

  #liveParts(width: number, height: number): LiveParts {
    return {
      width,
      height,
      view: this.#view,
      shown: this.#shown,
      prompting: this.#dialogs.prompting,
      picker: this.#dialogs.picker,
      answer: this.#dialogs.answer,
      queue: this.#queue,
      expanded: this.#expanded,
      armed: this.#armed,
      since: this.#since,
      extensions: this.#ui.rows(),
      branch: this.#branch,
      cost: this.#cost,
      state: this.#context.agent.session.state(),
    };
  }

  #print(rows: readonly string[]): void {
    this.#screen?.commit(rows);
    this.#draw();
  }

  #draw(): void {
    this.#screen?.draw();
  }
}
