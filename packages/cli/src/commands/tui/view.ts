import type { Client } from "@gantry/client";
import type { PromptHistory, Theme } from "@gantry/terminal";
import type { TUI, TuiMouseEvent } from "@gantry/terminal/toolkit";
import type { Context } from "../../program/context.ts";
import type { Choice } from "./picker.ts";
import type { TuiStore } from "./state/store.ts";

/** One screen of the program. `render` returns at most `height` rows, each at most `width` cells wide. */
export interface View {
  readonly title: string;
  render(width: number, height: number): string[];
  /** `key` is the name of the key, such as `ctrl+p`; `data` is what the terminal sent. Returns whether it was used. */
  key(key: string | undefined, data: string): boolean;
  /** The keys that work now, for the last row. */
  hints(): string;
  mouse?(event: TuiMouseEvent): boolean;
  /** Called when the view is closed. */
  close?(): void;
}

/** What views can do. */
export interface Program {
  readonly client: Client;
  readonly store: TuiStore;
  readonly tui: TUI;
  readonly context: Context;
  readonly history: PromptHistory;
  readonly theme: Theme;
  open(view: View): void;
  /** Closes the view on top. */
  back(): void;
  openSession(id: string): void;
  repaint(): void;
  /** Shows a text in the last row for a few seconds. */
  notify(text: string, isError?: boolean): void;
  /** Runs a request and reports its failure. */
  attempt(work: () => Promise<unknown>): void;
  pick(title: string, choices: readonly Choice[], chosen: (choice: Choice) => void): void;
  /** Asks for one line of text. */
  ask(title: string, text: string, answered: (text: string) => void): void;
  /** Gives the terminal to another program. */
  outside(work: () => Promise<void>): Promise<void>;
  quit(): void;
}
