import type { Attachment } from "@gantry/protocol";
import { editText, type PromptHistory, type Surface, type Theme, truncateText } from "@gantry/terminal";
import {
  type Component,
  Composer,
  type ComposerOptions,
  matchesKey,
  ProcessTerminal,
  ScrollbackScreen,
} from "@gantry/terminal/toolkit";

export type ComposerHandlers = Pick<ComposerOptions, "commands" | "files"> & {
  theme: Theme;
  cwd: string;
  env: Record<string, string | undefined>;
  history?: PromptHistory;
  submit(text: string, attachments: Attachment[]): void;
  /** Ctrl-C in an empty field. */
  interrupt(): void;
  /** Escape, if it closes no menu. */
  stop(): void;
  /** Ctrl-D in an empty field. */
  end(): void;
  /** The row below the field. */
  footer(): string;
};

/** An input field at the bottom of the terminal. The transcript above it goes to the scrollback. */
export class ComposerSurface implements Surface {
  private readonly screen: ScrollbackScreen;
  private readonly composer: Composer;
  private readonly handlers: ComposerHandlers;
  private rows: readonly string[] = [];
  private closed = false;

  constructor(handlers: ComposerHandlers) {
    this.handlers = handlers;
    this.screen = new ScrollbackScreen(new ProcessTerminal());
    this.composer = new Composer(this.screen, handlers);
    this.screen.addChild(rowsComponent(() => this.rows));
    this.screen.addChild(this.composer);
    this.screen.addChild(rowsComponent((width) => [handlers.theme.dim(truncateText(handlers.footer(), width - 1))]));
    this.screen.setFocus(this.composer);
    this.screen.addInputListener((data) => (this.obey(data) ? { consume: true } : undefined));
    this.screen.start();
  }

  commit(lines: readonly string[]): void {
    if (!this.closed) this.screen.commit(lines);
  }

  live(lines: readonly string[], pinned: readonly string[] = []): void {
    const next = [...lines, ...pinned];
    const isSame = next.length === this.rows.length && next.every((row, index) => row === this.rows[index]);
    if (isSame || this.closed) return;
    this.rows = next;
    this.screen.requestRender();
  }

  /** Puts a text into the field, for editing. */
  prefill(text: string): void {
    this.composer.setText(text);
    this.screen.requestRender();
  }

  suspend(): void {}

  resume(): void {}

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.screen.stop();
  }

  /** Keys that belong to the program and not to the field. */
  private obey(data: string): boolean {
    const { composer, handlers } = this;
    if (matchesKey(data, "ctrl+c")) {
      if (composer.isEmpty) handlers.interrupt();
      else composer.setText("");
    } else if (matchesKey(data, "escape") && !composer.isShowingAutocomplete()) handlers.stop();
    else if (matchesKey(data, "ctrl+d") && composer.isEmpty) handlers.end();
    else if (matchesKey(data, "ctrl+g")) void this.editElsewhere();
    else return false;
    this.screen.requestRender();
    return true;
  }

  /** The user's editor has the terminal until it exits. */
  private async editElsewhere(): Promise<void> {
    this.screen.pause();
    try {
      this.composer.setText(await editText(this.composer.text, this.handlers.env));
    } catch (error) {
      this.commit([this.handlers.theme.red((error as Error).message)]);
    } finally {
      this.screen.resume();
    }
  }
}

function rowsComponent(rows: (width: number) => readonly string[]): Component {
  return { render: (width) => [...rows(width)], invalidate: () => {} };
}
