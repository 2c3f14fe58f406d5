import { formatAge, stripControls, truncateText } from "@gantry/terminal";
import type { TuiMouseEvent } from "@gantry/terminal/toolkit";
import { keyHints } from "../frame.ts";
import { ListState } from "../state/list-state.ts";
import type { PendingInput } from "../state/store.ts";
import type { Program, View } from "../view.ts";
import { RequestPanel } from "./request-panel.ts";

/** Pending requests of all sessions, the oldest first, and the selected one in full. */
export class InboxView implements View {
  readonly title = "Inbox";
  private readonly program: Program;
  private readonly list = new ListState();
  private readonly marked = new Set<string>();
  private panel: RequestPanel | undefined;

  constructor(program: Program) {
    this.program = program;
  }

  render(width: number, height: number): string[] {
    const { theme } = this.program;
    const inputs = this.program.store.inputs;
    if (inputs.length === 0) return ["", theme.dim("  Nothing waits for you.")];
    const listed = Math.min(inputs.length, Math.max(1, Math.floor(height / 4)));
    const { from, to } = this.list.window(inputs.length, listed);
    const rows = inputs.slice(from, to).map((one, index) => this.row(one, from + index === this.list.index, width));
    const selected = inputs[this.list.index];
    if (!selected) return rows;
    if (this.panel?.input.id !== selected.input.id)
      this.panel = new RequestPanel(this.program, selected.input, selected.session.cwd);
    return [...rows, theme.dim("─".repeat(width - 1)), ...this.panel.render(width, height - rows.length - 1)];
  }

  key(key: string | undefined): boolean {
    const inputs = this.program.store.inputs;
    const selected = inputs[this.list.index];
    if (!selected) return false;
    if (key === "j" || key === "k") this.list.move(key === "j" ? 1 : -1, inputs.length);
    else if (key === "o" || key === "enter") this.program.openSession(selected.session.id);
    else if (key === "x") this.toggle(selected.input.id);
    else if ((key === "shift+y" || key === "shift+n") && this.marked.size > 0)
      this.answerMarked(key === "shift+y" ? "allow" : "deny");
    else return this.panel?.key(key) ?? false;
    return true;
  }

  mouse(event: TuiMouseEvent): boolean {
    if (event.type !== "wheel") return false;
    this.panel?.wheel(event.wheelDelta ?? 0);
    return true;
  }

  hints(): string {
    const pairs: [string, string][] = [
      ["j k", "select"],
      ["y", "allow"],
      ["s", "for this session"],
      ["n", "deny"],
      ["d", "deny with feedback"],
      ["e", "edit"],
      ["x", "mark"],
      ["Y N", "marked"],
      ["o", "open"],
      ["esc", "back"],
    ];
    return keyHints(pairs, this.program.theme);
  }

  private toggle(id: string): void {
    if (!this.marked.delete(id)) this.marked.add(id);
  }

  private answerMarked(decision: "allow" | "deny"): void {
    const { program } = this;
    const ids = [...this.marked];
    this.marked.clear();
    program.attempt(async () => {
      for (const id of ids) await program.client.answer(id, { decision });
    });
  }

  private row({ input, session }: PendingInput, isSelected: boolean, width: number): string {
    const { theme } = this.program;
    const mark = this.marked.has(input.id) ? theme.green("✓") : " ";
    const age = input.requestedAt ? formatAge(input.requestedAt, Date.now()) : "";
    const text = `${mark} ${theme.yellow(input.kind)}  ${stripControls(input.title)}  ${theme.dim(`${session.title} · ${session.agent} · ${age}`)}`;
    const row = truncateText(` ${text}`, width - 1);
    return isSelected ? theme.selected(row) : row;
  }
}
