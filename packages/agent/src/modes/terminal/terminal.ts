import { join } from "node:path";
import type { ImageBlock } from "@gantry/models";
import type { AgentOptions } from "../../start/options.ts";
import { startAgent } from "../../start.ts";
import { type ActionId, type Bindings, readBindings } from "./bindings.ts";
import { type Desk, SLASH } from "./commands.ts";
import { commonStart, completionsOf } from "./complete.ts";
import { Editor } from "./editor.ts";
import { KeyReader } from "./keys.ts";
import { createTerminalPerson, type Prompting } from "./person.ts";
import { cellsOf, type Live, rowsOf, Screen } from "./screen.ts";
import { type Shown, TranscriptView } from "./transcript.ts";

export type TerminalOptions = AgentOptions & { prompt?: string; images?: ImageBlock[] };

/** The agent on a terminal, until its user leaves. Gives the exit status. The terminal is left as it was found. */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  const terminal = new Terminal(options);
  return terminal.run();
}

class Terminal {
  readonly #options: TerminalOptions;
  readonly #screen = new Screen(process.stdout);
  readonly #view: TranscriptView;
  readonly #editor = new Editor();
  readonly #keys = new KeyReader();
  #bindings!: Bindings;
  #desk!: Desk;
  #prompting: Prompting | undefined;
  #shown: Shown = { lines: [], tail: "", running: [] };
  #armed = false;
  #leave!: (status: number) => void;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#view = new TranscriptView(process.stdout.hasColors?.() === true && options.env.NO_COLOR === undefined);
  }

  async run(): Promise<number> {
    const person = createTerminalPerson(
      (prompting) => {
        this.#prompting = prompting;
        this.#draw();
      },
      (text) => this.#editor.set(text),
    );
    const agent = await startAgent({ ...this.#options, person });
    const { session, agentDir } = agent;
    this.#bindings = readBindings(join(agentDir, "keybindings.json"));
    const dir = this.#options.sessionDir;
    this.#desk = {
      agent,
      bindings: this.#bindings,
      place: { agentDir, ...(dir ? { dir } : {}) },
      print: (lines) => this.#draw(lines),
      edit: (text) => this.#editor.set(text),
      reload: () => this.#reload(),
      quit: () => this.#leave(0),
    };
    const ended = new Promise<number>((resolve) => {
      this.#leave = resolve;
    });
    const unsubscribe = session.subscribe((event) => {
      this.#shown = this.#view.show(event);
      this.#draw(this.#shown.lines);
    });
    this.#open();
    this.#draw([...agent.problems, ...this.#bindings.problems].map((problem) => this.#view.paint("yellow", problem)));
    this.#reload();
    const { prompt, images } = this.#options;
    if (prompt) void this.#try(() => session.prompt(prompt, images?.length ? { images } : {}));
    const status = await ended;
    unsubscribe();
    this.#close();
    await session.dispose();
    return status;
  }

  #open(): void {
    const { stdin, stdout } = process;
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stdin.on("data", this.#onData);
    stdin.once("end", () => this.#leave(0));
    stdout.on("resize", this.#onResize);
    // Pasted text comes marked; chords that are otherwise the same come told apart, where a terminal can.
    stdout.write("\x1b[?2004h\x1b[>1u");
  }

  #close(): void {
    this.#screen.clear();
    process.stdout.write("\x1b[<u\x1b[?2004l");
    process.stdin.off("data", this.#onData);
    process.stdout.off("resize", this.#onResize);
    process.stdin.setRawMode?.(false);
    process.stdin.pause();
  }

  readonly #onResize = () => this.#draw();

  readonly #onData = (input: string | Buffer) => {
    for (const key of this.#keys.read(String(input))) {
      if ("text" in key) this.#typed(key.text);
      else this.#pressed(key.chord);
    }
    this.#draw();
  };

  #typed(text: string): void {
    this.#armed = false;
    if (this.#editor.text === "" && this.#prompting?.key?.(text)) return;
    this.#editor.insert(text);
  }

  #pressed(chord: string): void {
    const action = this.#bindings.actionOf(chord);
    if (action !== "app.clear") this.#armed = false;
    if (action && !this.#editor.act(action)) this.#act(action);
  }

  #act(action: ActionId): void {
    const { session } = this.#desk.agent;
    switch (action) {
      case "app.interrupt":
        return void this.#try(() => session.abort());
      case "app.clear":
        return this.#clear();
      case "app.exit":
        if (this.#editor.text === "") this.#leave(0);
        return;
      case "app.thinking.cycle":
        return void this.#try(async () => session.cycleThinkingLevel());
      case "app.thinking.toggle":
        this.#view.thinking = !this.#view.thinking;
        return;
      case "app.model.cycleForward":
        return void this.#try(() => session.cycleModel());
      case "app.tools.expand":
        this.#view.expanded = !this.#view.expanded;
        return;
      case "app.plan.toggle":
        return session.setMode(session.state().mode === "plan" ? "ask" : "plan");
      case "app.message.dequeue": {
        const { steering, followUp } = session.clearQueue();
        return this.#editor.insert([...steering, ...followUp].join("\n"));
      }
      case "tui.input.tab":
        return this.#complete();
      case "app.message.followUp":
        return this.#submit("followUp");
      case "tui.input.submit":
        return this.#submit("steer");
    }
  }

  #clear(): void {
    if (this.#editor.text !== "") this.#editor.set("");
    else if (this.#armed) this.#leave(0);
    else this.#armed = true;
  }

  #complete(): void {
    const before = this.#editor.text.slice(0, this.#editor.cursor);
    const { from, words } = completionsOf(before, this.#desk.agent.session.cwd, Object.keys(SLASH));
    const start = commonStart(words);
    if (start.length > before.length - from) this.#editor.insert(start.slice(before.length - from));
    else if (words.length > 1) this.#draw([words.slice(0, 50).join("  ")]);
  }

  #submit(streamingBehavior: "steer" | "followUp"): void {
    if (this.#prompting?.line) {
      const { line } = this.#prompting;
      if (this.#editor.text !== "") line(this.#editor.submit());
      return;
    }
    const text = this.#editor.submit().trim();
    if (text === "") return;
    const { session } = this.#desk.agent;
    const shell = /^(!!?)\s*([\s\S]+)$/.exec(text);
    const slash = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text);
    void this.#try(async () => {
      if (shell) await this.#shell(shell[2] ?? "", shell[1] === "!!");
      else if (slash) await this.#command(slash[1] ?? "", slash[2]?.trim() ?? "");
      else await session.prompt(text, { streamingBehavior });
    });
  }

  async #shell(command: string, excludeFromContext: boolean): Promise<void> {
    const { output, exitCode } = await this.#desk.agent.session.bash(command, { excludeFromContext });
    this.#draw(this.#view.ran(command, output, exitCode));
  }

  async #command(name: string, rest: string): Promise<void> {
    const command = Object.hasOwn(SLASH, name) ? SLASH[name] : undefined;
    if (!command) throw new Error(`There is no /${name}. /help lists what there is.`);
    await command.run(this.#desk, rest);
    this.#draw();
  }

  /** What goes wrong is shown where it happened. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#draw([this.#view.paint("red", (error as Error).message)]);
    }
  }

  #reload(): void {
    const { session } = this.#desk.agent;
    this.#draw(session.messages().flatMap((message) => this.#view.whole(message)));
  }

  #draw(lines: readonly string[] = []): void {
    this.#screen.draw(lines, this.#live());
  }

  #live(): Live {
    const width = this.#screen.columns - 1;
    const paint = (text: string) => this.#view.paint("dim", text);
    const { tail, running } = this.#shown;
    const above = [
      ...(tail === "" ? [] : rowsOf(tail, width).slice(-6)),
      ...running.map((row) => rowsOf(row, width)[0] ?? ""),
      ...(this.#prompting?.lines ?? []).flatMap((line) => rowsOf(line, width)),
      paint(rowsOf(this.#status(), width)[0] ?? ""),
    ];
    const before = rowsOf(`› ${this.#editor.text.slice(0, this.#editor.cursor)}`, width);
    const rows = rowsOf(`› ${this.#editor.text}`, width);
    const column = cellsOf(before.at(-1) ?? "");
    return { rows: [...above, ...rows], cursor: { row: above.length + before.length - 1, column } };
  }

  #status(): string {
    if (this.#armed) return "ctrl+c again leaves";
    const { model, thinkingLevel, mode, isStreaming, isCompacting, queuedMessageCount, contextUsage } =
      this.#desk.agent.session.state();
    const percent = contextUsage?.percent;
    return [
      model ? `${model.id} ${thinkingLevel}` : "no model: /model, or gantry auth",
      mode,
      ...(percent === null || percent === undefined ? [] : [`${Math.round(percent)} % full`]),
      ...(queuedMessageCount > 0 ? [`${queuedMessageCount} queued`] : []),
      ...(isCompacting ? ["summing up"] : isStreaming ? ["working, esc stops"] : ["/help"]),
    ].join(" · ");
  }
}
