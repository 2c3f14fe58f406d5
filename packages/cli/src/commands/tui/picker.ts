import { type Theme, truncateText } from "@gantry/terminal";
import { fuzzyFilter, Input } from "@gantry/terminal/toolkit";
import { boxRows } from "./frame.ts";
import { ListState } from "./state/list-state.ts";

export type Choice = { id: string; label: string; about?: string };

/** A list in a box with a field that filters it. Also asks for one line, if there are no choices. */
export class Picker {
  private readonly title: string;
  private readonly choices: readonly Choice[];
  private readonly done: (choice: Choice | undefined) => void;
  private readonly input = new Input();
  private readonly list = new ListState();
  private readonly isQuestion: boolean;

  constructor(title: string, choices: readonly Choice[] | string, done: (choice: Choice | undefined) => void) {
    this.title = title;
    this.isQuestion = typeof choices === "string";
    this.choices = typeof choices === "string" ? [] : choices;
    this.done = done;
    if (typeof choices === "string") this.input.setValue(choices);
    this.input.focused = true;
  }

  key(key: string | undefined, data: string): void {
    const found = this.found;
    if (key === "escape" || key === "ctrl+c") return this.done(undefined);
    if (key === "enter") {
      const text = this.input.getValue();
      const choice = this.isQuestion ? { id: text, label: text } : found[this.list.index];
      return this.done(choice);
    }
    if (key === "up" || key === "down" || key === "pageUp" || key === "pageDown") {
      this.list.key(key, found.length, 10);
      return;
    }
    this.input.handleInput(data);
    this.list.index = 0;
  }

  /** Rows for a box of this size. */
  render(width: number, height: number, theme: Theme): string[] {
    const inner = Math.max(20, Math.min(width - 4, 76));
    const found = this.found;
    const room = Math.max(1, Math.min(found.length, height - 6));
    const { from, to } = this.list.window(found.length, room);
    const rows = found.slice(from, to).map((choice, index) => {
      const about = choice.about ? `  ${theme.dim(choice.about)}` : "";
      const row = truncateText(` ${choice.label}${about}`, inner - 1);
      return from + index === this.list.index ? theme.selected(padRow(row, inner)) : row;
    });
    const none = !this.isQuestion && found.length === 0 ? [theme.dim(" no match")] : [];
    const [field = ""] = this.input.render(inner);
    return boxRows(this.title, [field, ...rows, ...none], inner, theme);
  }

  private get found(): readonly Choice[] {
    const query = this.input.getValue();
    if (query === "" || this.isQuestion) return this.choices;
    return fuzzyFilter([...this.choices], query, (choice) => `${choice.label} ${choice.about ?? ""}`);
  }
}

function padRow(row: string, width: number): string {
  return truncateText(row, width).padEnd(width);
}
