import { join } from "node:path";
import type { Client } from "@gantry/client";
import { makeTheme, openPromptHistory, type Scheme, type Theme } from "@gantry/terminal";
import { type Component, ProcessTerminal, TuiAltScreen, type TuiMouseEvent } from "@gantry/terminal/toolkit";
import type { Context } from "../../program/context.ts";
import { fillRows, footerRow, headerRow, overlayRows } from "./frame.ts";
import { keyName, useKeybindings } from "./keybindings.ts";
import { ACTIONS, openPalette } from "./palette.ts";
import { type Choice, Picker } from "./picker.ts";
import { TuiStore } from "./state/store.ts";
import type { Program, View } from "./view.ts";
import { SessionView } from "./views/session-view.ts";
import { SessionsView } from "./views/sessions-view.ts";

const NOTICE_MS = 5000;
const SPIN_MS = 120;
const BACKGROUND_MS = 200;

/** The full-screen program: a stack of views, at most one picker above them, and the store that all of them read. */
export class App implements Program, Component {
  readonly client: Client;
  readonly context: Context;
  readonly store: TuiStore;
  readonly tui: TuiAltScreen;
  readonly history;
  theme: Theme;
  private readonly views: View[] = [];
  private picker: Picker | undefined;
  private notice: { text: string; isError: boolean } | undefined;
  private noticeTimer: NodeJS.Timeout | undefined;
  private lastInterrupt = 0;
  private finished: () => void = () => {};

  constructor(context: Context, client: Client, mouse: boolean) {
    this.context = context;
    this.client = client;
    this.theme = context.output.paint;
    this.history = openPromptHistory(join(context.home, "history.jsonl"));
    this.store = new TuiStore(client, () => this.repaint());
    useKeybindings(context.home);
    this.tui = new TuiAltScreen(new ProcessTerminal(), true, undefined, { mouse });
    this.views.push(new SessionsView(this));
  }

  /** Runs until the user quits. Throws if the daemon cannot be reached at the start. */
  async run(session?: string): Promise<void> {
    await this.store.open();
    this.tui.setLayoutRoot(this);
    this.tui.setFocus(this);
    this.tui.start();
    void this.matchBackground();
    if (session) this.openSession(session);
    const spinner = setInterval(() => this.spin(), SPIN_MS);
    try {
      await new Promise<void>((resolve) => {
        this.finished = resolve;
      });
    } finally {
      clearInterval(spinner);
      clearTimeout(this.noticeTimer);
      for (const view of this.views) view.close?.();
      this.store.close();
      this.tui.setLayoutRoot({ render: () => [], invalidate: () => {} });
      this.tui.stop();
    }
  }

  render(width: number): string[] {
    const height = this.tui.terminal.rows;
    const { theme } = this;
    const view = this.view;
    const body = fillRows(view.render(width, height - 2), height - 2);
    const rows = this.picker ? overlayRows(body, this.picker.render(width, height - 2, theme), width) : body;
    return [headerRow(view.title, this.store.counts, theme, width), ...rows, footerRow(this.footer(), width)];
  }

  handleInput(data: string): void {
    const key = keyName(data);
    this.notice = undefined;
    if (this.picker) this.picker.key(key, data);
    else if (key === "ctrl+p") openPalette(this);
    else if (!this.view.key(key, data)) this.fallback(key);
    this.repaint();
  }

  handleMouse(event: TuiMouseEvent) {
    if (this.picker || !this.view.mouse?.(event)) return undefined;
    this.repaint();
    return { handled: true };
  }

  invalidate(): void {}

  open(view: View): void {
    this.views.push(view);
    this.repaint();
  }

  back(): void {
    if (this.views.length > 1) this.views.pop()?.close?.();
    this.repaint();
  }

  openSession(id: string): void {
    const session = this.store.sessions.get(id);
    if (session) this.open(new SessionView(this, session));
    else this.attempt(async () => this.open(new SessionView(this, await this.client.sessions.get(id))));
  }

  repaint(): void {
    this.tui.requestRender();
  }

  notify(text: string, isError = false): void {
    this.notice = { text, isError };
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => {
      this.notice = undefined;
      this.repaint();
    }, NOTICE_MS);
    this.repaint();
  }

  attempt(work: () => Promise<unknown>): void {
    work().then(
      () => this.repaint(),
      (error: Error & { remedy?: string }) =>
        this.notify([error.message, error.remedy].filter(Boolean).join(" "), true),
    );
  }

  pick(title: string, choices: readonly Choice[], chosen: (choice: Choice) => void): void {
    this.openPicker(title, choices, chosen);
  }

  ask(title: string, text: string, answered: (text: string) => void): void {
    this.openPicker(title, text, ({ id }) => {
      if (id.trim() !== "") answered(id);
    });
  }

  async outside(work: () => Promise<void>): Promise<void> {
    this.tui.stop({ preserveScreen: true });
    try {
      await work();
    } catch (error) {
      this.notify((error as Error).message, true);
    } finally {
      this.tui.start();
      this.tui.requestRender(true);
    }
  }

  quit(): void {
    this.finished();
  }

  private get view(): View {
    return this.views.at(-1) as View;
  }

  private openPicker(title: string, choices: readonly Choice[] | string, chosen: (choice: Choice) => void): void {
    this.picker = new Picker(title, choices, (choice) => {
      this.picker = undefined;
      if (choice) chosen(choice);
      this.repaint();
    });
    this.repaint();
  }

  /** Keys that the view does not use. */
  private fallback(key: string | undefined): void {
    if (key === "ctrl+c") return this.interrupt();
    if (key === "ctrl+d") return this.quit();
    if (key === "escape" || key === "left") return this.back();
    if (key) ACTIONS.find((action) => action.key === key)?.run(this);
  }

  private interrupt(): void {
    const now = Date.now();
    if (now - this.lastInterrupt < 2000) return this.quit();
    this.lastInterrupt = now;
    this.notify("Press ctrl+c again to quit. Sessions continue.");
  }

  private footer(): string {
    const { problem } = this.store;
    if (this.notice) return (this.notice.isError ? this.theme.red : this.theme.yellow)(this.notice.text);
    return problem ? this.theme.red(problem) : this.view.hints();
  }

  /** Only a running turn moves. */
  private spin(): void {
    if (this.view instanceof SessionView && this.view.session?.turn) this.repaint();
  }

  /** Uses the light theme on a light background, unless the user chose one. */
  private async matchBackground(): Promise<void> {
    if (this.context.env.GANTRY_THEME || this.context.env.COLORFGBG || this.theme.depth < 8) return;
    const colour = await this.tui.queryTerminalBackgroundColor({ timeoutMs: BACKGROUND_MS });
    if (!colour) return;
    const scheme: Scheme = colour.r * 0.3 + colour.g * 0.59 + colour.b * 0.11 > 127 ? "light" : "dark";
    this.theme = makeTheme({ depth: this.theme.depth, scheme });
    this.repaint();
  }
}
