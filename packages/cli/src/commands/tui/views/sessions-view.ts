import { groupNames, lastActivity, type SessionGroup } from "@gantry/protocol";
import { firstLine, formatAge, homePath, padText, stripControls, textWidth, truncateText } from "@gantry/terminal";
import type { TuiMouseEvent } from "@gantry/terminal/toolkit";
import { statusWord } from "../../sessions/state.ts";
import { keyHints } from "../frame.ts";
import { ListState } from "../state/list-state.ts";
import type { OrderedSession } from "../state/store.ts";
import type { Program, View } from "../view.ts";

type Row = { group: SessionGroup } | { session: OrderedSession };

/** All sessions, in the groups and the order of the board. */
export class SessionsView implements View {
  readonly title = "Sessions";
  private readonly program: Program;
  private readonly list = new ListState();
  private selected: string | undefined;
  private drawn: { from: number; rows: Row[] } = { from: 0, rows: [] };

  constructor(program: Program) {
    this.program = program;
  }

  render(width: number, height: number): string[] {
    const sessions = this.program.store.ordered;
    if (sessions.length === 0) return ["", this.program.theme.dim("  No sessions yet. Press n to start one.")];
    this.follow(sessions);
    const rows = withGroups(sessions);
    const current = rows.findIndex((row) => "session" in row && row.session.session.id === this.selected);
    const top = this.drawn.from;
    const { from, to } = keepVisible(current, top, rows.length, height);
    this.drawn = { from, rows };
    return rows.slice(from, to).map((row, index) => this.row(row, from + index === current, width));
  }

  key(key: string | undefined): boolean {
    const { program } = this;
    const sessions = program.store.ordered;
    if (key && this.list.key(key, sessions.length, 10)) {
      this.selected = sessions[this.list.index]?.session.id;
      return true;
    }
    const id = this.selected;
    if (key === "enter" && id) program.openSession(id);
    else if (key === "a" && id) program.attempt(() => this.archive(id));
    else return false;
    return true;
  }

  mouse(event: TuiMouseEvent): boolean {
    if (event.type === "wheel") return this.key((event.wheelDelta ?? 0) < 0 ? "up" : "down");
    if (event.type !== "click") return false;
    const row = this.drawn.rows[this.drawn.from + event.y - 1];
    if (!row || !("session" in row)) return false;
    this.program.openSession(row.session.session.id);
    return true;
  }

  hints(): string {
    const pairs: [string, string][] = [
      ["↵", "open"],
      ["n", "new"],
      ["i", "inbox"],
      ["/", "search"],
      ["a", "archive"],
      ["l", "launches"],
      ["^p", "commands"],
      ["?", "keys"],
      ["q", "quit"],
    ];
    return keyHints(pairs, this.program.theme);
  }

  /** The selection stays on its session when the order changes. */
  private follow(sessions: readonly OrderedSession[]): void {
    const index = sessions.findIndex(({ session }) => session.id === this.selected);
    if (index >= 0) this.list.index = index;
    this.list.window(sessions.length, sessions.length);
    this.selected = sessions[this.list.index]?.session.id;
  }

  private async archive(id: string): Promise<void> {
    await this.program.client.sessions.patch(id, { archived: true });
    this.program.store.sessions.delete(id);
    this.program.notify("Archived. gantry archive --undo restores it.");
  }

  private row(row: Row, isSelected: boolean, width: number): string {
    const { theme } = this.program;
    if ("group" in row) return theme.bold(` ${groupNames[row.group]}`);
    const { session, status } = row.session;
    const age = formatAge(lastActivity(session).at, Date.now()).padStart(4);
    const word = padText(truncateText(statusWord(status, theme), 26), 26);
    const agent = padText(truncateText(session.agent, 12), 12);
    const folder = width >= 110 ? `  ${theme.dim(truncateText(homePath(session.cwd), 40))}` : "";
    const last = width >= 150 && session.last ? `  ${theme.dim(firstLine(stripControls(session.last.text)))}` : "";
    const title = firstLine(stripControls(session.title)) || "Untitled";
    const text = truncateText(`   ${word} ${agent} ${title}${folder}${last}`, width - 7);
    const line = `${text}${" ".repeat(Math.max(1, width - textWidth(text) - 6))}${theme.dim(age)} `;
    return isSelected ? theme.selected(padText(line, width - 1)) : line;
  }
}

function withGroups(sessions: readonly OrderedSession[]): Row[] {
  const rows: Row[] = [];
  let last: SessionGroup | undefined;
  for (const session of sessions) {
    if (session.status.group !== last) rows.push({ group: session.status.group });
    last = session.status.group;
    rows.push({ session });
  }
  return rows;
}

/** The visible range around the selected row; the heading above the first session stays visible. */
function keepVisible(current: number, top: number, count: number, height: number): { from: number; to: number } {
  let from = Math.max(0, Math.min(top, count - height));
  if (current - 1 < from) from = Math.max(0, current - 1);
  if (current >= from + height) from = current - height + 1;
  return { from, to: Math.min(count, from + height) };
}
