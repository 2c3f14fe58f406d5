import type { Changes, Comment, FileChange } from "@gantry/protocol";
import { padText, renderChangeCount, stripControls, truncateText } from "@gantry/terminal";
import { type DiffLine, parseDiff, renderDiffLines } from "@gantry/terminal/transcript";
import { keyHints } from "../frame.ts";
import { ListState } from "../state/list-state.ts";
import type { Program, View } from "../view.ts";

const FILES_WIDTH = 36;

/** The changes of a session, file by file, with comments on lines that go to the agent. */
export class ReviewView implements View {
  readonly title = "Review";
  private readonly program: Program;
  private readonly id: string;
  private readonly files = new ListState();
  private readonly lines = new ListState();
  private changes: Changes | undefined;
  private comments: readonly Comment[] = [];
  private patch: { path: string; lines: DiffLine[] } | undefined;
  private isInDiff = false;

  constructor(program: Program, id: string) {
    this.program = program;
    this.id = id;
    this.load();
  }

  render(width: number, height: number): string[] {
    const { theme } = this.program;
    const all = this.changes?.files;
    if (!all) return ["", theme.dim("  Loading …")];
    if (all.length === 0) return ["", theme.dim("  No file differs from the base.")];
    const isWide = width >= 100;
    const fileRows = isWide ? height : Math.min(all.length, Math.max(2, Math.floor(height / 4)));
    const left = this.fileRows(isWide ? FILES_WIDTH : width - 1, fileRows);
    const right = this.diffRows(
      isWide ? width - FILES_WIDTH - 3 : width - 1,
      isWide ? height : height - left.length - 1,
    );
    if (!isWide) return [...left, theme.dim("─".repeat(width - 1)), ...right];
    return Array.from({ length: height }, (_, row) => {
      return `${padText(left[row] ?? "", FILES_WIDTH)} ${theme.dim("│")} ${right[row] ?? ""}`;
    });
  }

  key(key: string | undefined): boolean {
    const files = this.changes?.files ?? [];
    if (key === "tab" || key === "right" || key === "left")
      this.isInDiff = key === "tab" ? !this.isInDiff : key === "right";
    else if (key === "enter") this.isInDiff = true;
    else if (key === "r") this.load();
    else if (key === "c") this.comment();
    else if (key === "x") this.removeComment();
    else if (key === "s") this.sendComments();
    else if (key && this.isInDiff) return this.lines.key(key, this.patch?.lines.length ?? 0, 15);
    else if (key && this.files.key(key, files.length, 10)) this.loadFile();
    else return false;
    return true;
  }

  hints(): string {
    const pairs: [string, string][] = [
      ["tab", this.isInDiff ? "files" : "lines"],
      ["j k", "move"],
      ["c", "comment"],
      ["x", "remove comment"],
      ["s", "send comments"],
      ["r", "reload"],
      ["esc", "back"],
    ];
    return keyHints(pairs, this.program.theme);
  }

  private get file(): FileChange | undefined {
    return this.changes?.files[this.files.index];
  }

  private fileRows(width: number, height: number): string[] {
    const { theme } = this.program;
    const files = this.changes?.files ?? [];
    const { from, to } = this.files.window(files.length, height);
    return files.slice(from, to).map((file, index) => {
      const count = this.comments.filter((one) => one.path === file.path && one.state === "open").length;
      const marks = [renderChangeCount(file, theme), count > 0 ? theme.yellow(`✎${count}`) : ""].filter(Boolean);
      const row = truncateText(` ${stripControls(file.path)}  ${marks.join(" ")}`, width);
      return from + index === this.files.index ? theme.selected(padText(row, width)) : row;
    });
  }

  /** The patch around the selected line, with comments below their lines. */
  private diffRows(width: number, height: number): string[] {
    const { theme } = this.program;
    const { patch } = this;
    if (!patch) return [theme.dim(" Loading …")];
    if (patch.lines.length === 0) return [theme.dim(" No text to show.")];
    const drawn = renderDiffLines(patch.lines, theme, width - 1);
    this.lines.window(patch.lines.length, patch.lines.length);
    const rows: string[] = [];
    let selectedRow = 0;
    for (const [index, line] of patch.lines.entries()) {
      const own = drawn[index] ?? [];
      const isSelected = this.isInDiff && index === this.lines.index;
      if (isSelected) selectedRow = rows.length;
      rows.push(...own.map((row) => `${isSelected ? theme.cyan("▌") : " "}${row}`));
      rows.push(...this.commentRows(line, width));
    }
    const top = Math.max(0, Math.min(selectedRow - Math.floor(height / 2), rows.length - height));
    return rows.slice(top, top + height);
  }

  private commentRows(line: DiffLine, width: number): string[] {
    const { theme } = this.program;
    const at = placeOf(line);
    if (!at) return [];
    const found = this.comments.filter(
      (one) =>
        one.path === this.patch?.path && one.side === at.side && one.line === at.line && one.state !== "resolved",
    );
    return found.map((one) => truncateText(theme.yellow(`   ✎ ${stripControls(one.text)} (${one.state})`), width - 1));
  }

  private comment(): void {
    const line = this.patch?.lines[this.lines.index];
    const at = line && placeOf(line);
    const { file } = this;
    if (!at || !file) return this.program.notify("Select a line of the file first: tab, then j and k.", true);
    this.program.ask(`Comment on ${file.path}:${at.line}`, "", (text) => {
      this.program.attempt(async () => {
        await this.program.client.comments.add(this.id, { path: file.path, line: at.line, side: at.side, text });
        await this.loadComments();
        this.program.notify("It goes to the agent with your next message; s sends it now.");
      });
    });
  }

  private removeComment(): void {
    const line = this.patch?.lines[this.lines.index];
    const at = line && placeOf(line);
    const found = this.comments.find((one) => one.path === this.file?.path && one.line === at?.line);
    if (!found) return this.program.notify("This line has no comment.", true);
    this.program.attempt(async () => {
      await this.program.client.comments.remove(this.id, found.comment);
      await this.loadComments();
    });
  }

  private sendComments(): void {
    const open = this.comments.filter(({ state }) => state === "open").length;
    if (open === 0) return this.program.notify("There are no comments to send.", true);
    this.program.ask(`Message with ${open} comments`, "Please address my comments.", (text) => {
      this.program.attempt(async () => {
        await this.program.client.sessions.send(this.id, { text });
        await this.loadComments();
        this.program.back();
      });
    });
  }

  private load(): void {
    this.program.attempt(async () => {
      this.changes = await this.program.client.changes.list(this.id);
      await this.loadComments();
      this.loadFile();
    });
  }

  private loadFile(): void {
    const { file } = this;
    this.program.repaint();
    if (!file) return;
    this.program.attempt(async () => {
      const { patch } = await this.program.client.changes.file(this.id, { path: file.path });
      if (this.file !== file) return;
      this.patch = { path: file.path, lines: parseDiff(patch) };
      this.lines.index = Math.max(
        0,
        this.patch.lines.findIndex(({ kind }) => kind === "added" || kind === "removed"),
      );
      this.program.repaint();
    });
  }

  private async loadComments(): Promise<void> {
    this.comments = await this.program.client.comments.list(this.id);
    this.program.repaint();
  }
}

function placeOf(line: DiffLine): { line: number; side: "old" | "new" } | undefined {
  if (line.kind === "removed") return { line: line.before ?? 1, side: "old" };
  return line.kind === "added" || line.kind === "same" ? { line: line.after ?? 1, side: "new" } : undefined;
}
