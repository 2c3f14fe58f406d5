import type { Attachment, Session } from "@gantry/protocol";
import { editText, firstLine, formatTokens, homePath, stripControls, truncateText } from "@gantry/terminal";
import { readClipboardImage } from "@gantry/terminal/clipboard";
import { Composer, type TuiMouseEvent } from "@gantry/terminal/toolkit";
import type { Completable } from "../../work/attach-completion.ts";
import { keyHints } from "../frame.ts";
import { sessionCommands } from "../session-commands.ts";
import { ScrollState } from "../state/scroll-state.ts";
import { TranscriptPane } from "../state/transcript-pane.ts";
import type { Program, View } from "../view.ts";
import { RequestPanel } from "./request-panel.ts";

const SPINNER = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];

/** One session: its conversation, a pending request or the running activity, and the composer. */
export class SessionView implements View {
  readonly id: string;
  private readonly program: Program;
  private readonly pane: TranscriptPane;
  private readonly composer: Composer;
  private readonly scroll = new ScrollState(true);
  private panel: RequestPanel | undefined;
  /** The composer has the keys although a request waits. */
  private isTyping = false;
  private known: Completable;
  private size = { rows: 0, height: 1 };

  constructor(program: Program, session: Session) {
    this.program = program;
    this.id = session.id;
    this.known = { session, commands: session.commands ?? [] };
    this.pane = new TranscriptPane(program.client, session, () => program.repaint());
    this.composer = new Composer(program.tui, {
      theme: program.theme,
      cwd: process.cwd(),
      history: program.history,
      commands: () => sessionCommands(program, this.known, this).items,
      files: async (q, limit) => (await program.client.files.find({ session: session.id, q, limit })).files,
      submit: (text, attachments) => this.submit(text, attachments),
    });
    this.composer.focused = true;
    program.attempt(() => this.load());
  }

  get title(): string {
    return firstLine(stripControls(this.session?.title ?? "Session"));
  }

  get session(): Session | undefined {
    return this.program.store.sessions.get(this.id);
  }

  close(): void {
    this.pane.close();
  }

  render(width: number, height: number): string[] {
    const { theme } = this.program;
    const input = this.session?.inputs[0];
    if (this.panel?.input.id !== input?.id)
      this.panel = input && new RequestPanel(this.program, input, this.session?.cwd ?? "");
    const hasKeys = !this.panel || this.isTyping;
    this.composer.focused = hasKeys;
    const field = this.composer.render(width - 1);
    const status = this.statusRows(width);
    const free = Math.max(1, height - field.length - status.length);
    const wanted = this.panel ? Math.min(this.panel.wantedRows(width), Math.max(4, Math.floor(free * 0.75))) : 0;
    const request = this.panel ? this.panel.render(width, wanted) : [];
    const room = Math.max(0, free - request.length);
    const rows = this.pane.rows(theme, width - 1);
    const from = this.scroll.window(rows.length, room);
    this.size = { rows: rows.length, height: room };
    const shown = rows.slice(from, from + room);
    const blank = Array.from({ length: room - shown.length }, () => "");
    return [...shown, ...blank, ...request, ...status, ...field];
  }

  key(key: string | undefined, data: string): boolean {
    if (key && this.control(key)) return true;
    if (this.panel && !this.isTyping) {
      if (key === "tab" || key === "i") this.isTyping = true;
      else return this.panel.key(key);
      return true;
    }
    const isFree = this.composer.isEmpty && !this.composer.isShowingAutocomplete();
    if (key === "escape" && !this.composer.isShowingAutocomplete()) return this.escape();
    if (isFree && (key === "left" || key === "?")) return key === "left" ? this.leave() : false;
    this.composer.handleInput(data);
    return true;
  }

  mouse(event: TuiMouseEvent): boolean {
    if (event.type !== "wheel") return false;
    this.move(event.wheelDelta ?? 0);
    return true;
  }

  hints(): string {
    const { theme } = this.program;
    if (this.panel && !this.isTyping) {
      const answer: [string, string][] = [
        ["y s n d e", "answer"],
        ["↑ ↓ PgDn", "scroll the request"],
        ["tab", "write a message"],
        ["esc", "back"],
      ];
      return keyHints(answer, theme);
    }
    const stop = this.pane.isRunning ? "stop" : "back";
    const pairs: [string, string][] = [
      ["↵", this.pane.isRunning ? "queue or steer" : "send"],
      ["/ @", "commands, files"],
      ["^o", this.pane.full ? "less" : "all output"],
      ["^r", "review"],
      ["^t", "queue, tasks"],
      ["^p", "commands"],
      ["esc", stop],
    ];
    return keyHints(pairs, theme);
  }

  private control(key: string): boolean {
    if (key === "ctrl+o") this.pane.full = !this.pane.full;
    else if (key === "ctrl+g") void this.editElsewhere();
    else if (key === "ctrl+v") this.program.attempt(() => this.pasteImage());
    else if (key === "ctrl+r") sessionCommands(this.program, this.known, this).run("/review");
    else if (key === "ctrl+t") sessionCommands(this.program, this.known, this).run("/work");
    else if (key === "shift+tab") this.nextMode();
    else if (key === "ctrl+c" && !this.composer.isEmpty) this.composer.setText("");
    else if (key === "pageUp" || (key === "home" && this.composer.isEmpty)) this.up(key);
    else return this.panel && !this.isTyping ? false : this.scroll.key(key, this.size.rows, this.size.height);
    return true;
  }

  private up(key: string): void {
    if (this.panel && !this.isTyping && key === "pageUp") return void this.panel.key(key);
    this.scroll.key(key, this.size.rows, this.size.height);
    if (this.scroll.isAtTop) this.loadEarlier();
  }

  private move(by: number): void {
    if (this.panel && !this.isTyping) return this.panel.wheel(by);
    this.scroll.scroll(by, this.size.rows, this.size.height);
    if (by < 0 && this.scroll.isAtTop) this.loadEarlier();
  }

  private loadEarlier(): void {
    const before = this.size.rows;
    this.program.attempt(async () => {
      if (!(await this.pane.loadEarlier())) return;
      const width = this.program.tui.terminal.columns - 1;
      this.scroll.shift(this.pane.rows(this.program.theme, width).length - before);
      this.program.repaint();
    });
  }

  private escape(): boolean {
    if (this.isTyping) this.isTyping = false;
    else if (this.pane.isRunning) this.program.attempt(() => this.program.client.sessions.interrupt(this.id));
    else return this.leave();
    return true;
  }

  private leave(): boolean {
    this.program.back();
    return true;
  }

  private submit(text: string, attachments: Attachment[]): void {
    this.isTyping = false;
    this.scroll.toEnd();
    if (sessionCommands(this.program, this.known, this).run(text)) return;
    this.program.attempt(async () => {
      const { disposition } = await this.program.client.sessions.send(this.id, { text, attachments });
      if (disposition !== "started") this.program.notify(`The message is ${disposition}.`);
    });
  }

  private async load(): Promise<void> {
    void this.program.client.sessions.warmUp(this.id).catch(() => {});
    await this.pane.open();
    const session = await this.program.client.sessions.get(this.id);
    const { agent: row } = await this.program.client.agents.get(session.agent);
    this.known = { session, row, commands: session.commands ?? [] };
  }

  private async editElsewhere(): Promise<void> {
    await this.program.outside(async () => {
      this.composer.setText(await editText(this.composer.text, this.program.context.env));
    });
  }

  private async pasteImage(): Promise<void> {
    const image = await readClipboardImage({ env: this.program.context.env });
    if ("problem" in image) return this.program.notify(image.problem, true);
    this.composer.addImage({ mime: image.mimeType, data: image.data.toString("base64") });
  }

  private nextMode(): void {
    const modes = this.known.row?.modes ?? [];
    const current = this.session?.mode;
    const next = modes[(modes.indexOf(current ?? "ask") + 1) % Math.max(1, modes.length)];
    if (next) sessionCommands(this.program, this.known, this).run(`/mode ${next}`);
  }

  private statusRows(width: number): string[] {
    const { theme } = this.program;
    const { session } = this;
    const now = Date.now();
    const doing = this.pane.status(theme, now);
    const spinner = theme.cyan(SPINNER[Math.floor(now / 90) % SPINNER.length] ?? "");
    const above = this.pane.earlier > 0 && !this.scroll.follows ? `${this.pane.earlier} earlier events · ` : "";
    const queue =
      session && session.queue.length > 0
        ? `${session.queue.length} queued${session.queueState === "paused" ? " (paused)" : ""}`
        : "";
    const context = session?.context ? `context ${formatTokens(session.context.used)}` : "";
    const cost = session?.cost && session.cost.usd > 0 ? `$${session.cost.usd.toFixed(2)}` : "";
    const facts = [
      session?.agent,
      session?.model,
      session?.mode,
      context,
      cost,
      queue,
      session && homePath(session.cwd),
    ];
    const line = `${above}${facts.filter(Boolean).join(" · ")}`;
    const rows = [theme.dim(truncateText(` ${line}`, width - 1))];
    return doing ? [truncateText(` ${spinner} ${doing}`, width - 1), ...rows] : rows;
  }
}
